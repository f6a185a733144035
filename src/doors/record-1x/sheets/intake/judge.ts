import type { Caller } from '../../../../access/caller.ts'
import { trimmedTextKey } from '../../../../fields/key.ts'
import { uuidIn } from '../../../../fields/uuid.ts'
import type { Records } from '../../../../records/records.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import type { Intake } from '../../intake/record-draft.ts'
import { type Decision, decisionOn } from './decision.ts'
import { askedBy, tagsOfRow } from './matching.ts'
import { bundleOfRow, type OpenedSheet } from './opened-sheet.ts'
import { referredBy } from './referred.ts'
import { type RowAbove, RowsAbove } from './rows-above.ts'
import { cellIn, columnFor, columnNamed, type RowGroup } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'
import type { Standing } from './standing.ts'

export interface Judging {
  readonly installation: Records
  readonly caller: Caller
  readonly opened: OpenedSheet
}

/** What is asked for, and the row above that has to be kept first. */
export interface Judgement {
  readonly decision: Decision
  readonly awaited: RowAbove | undefined
}

/** Says of one row after the other what is to become of it, knowing those above. */
export class Judge {
  readonly #judging: Judging
  readonly #intake: Intake
  readonly #above = new RowsAbove()
  readonly #spoken = new Map<string, number>()

  constructor(judging: Judging) {
    this.#judging = judging
    const { farm, vocabularies, settings } = judging.installation
    this.#intake = { farm, vocabularies, address: settings.baseUrl, present: judging.opened.present }
  }

  judge(group: RowGroup, standing: Standing): Judgement {
    const match = standing.matchOf(group)
    if (match?.is === 'fault') return faulty([this.#fault(group, match.message, match.allowed)])
    const before = match?.is === 'there' ? standing.stored(match.id) : undefined
    const twin = this.#speakerOf(group, before)
    if (twin !== undefined) {
      const hint = this.#judging.opened.sheet.options.rows === undefined ? '; for several of its parts use rows=' : ''
      return faulty([this.#fault(group, `is the same record as row ${twin}${hint}`)])
    }
    let awaited: RowAbove | undefined
    const { opened, installation, caller } = this.#judging
    const bundle = bundleOfRow(opened, group.rows[0])
    const referred = referredBy({
      named: standing.named,
      type: opened.sheet.type.name,
      bundle: before?.bundle ?? bundle ?? '',
      above: this.#above,
      awaited: (row) => {
        awaited = row
      },
    })
    const deciding = { installation, caller, intake: this.#intake, sheet: opened.sheet }
    return { decision: decisionOn(deciding, group, { referred, before, bundle }), awaited }
  }

  /** From here on rows below may name this one. */
  note(group: RowGroup, made: { readonly id?: number; readonly before?: StoredRecord }): void {
    const { sheet } = this.#judging.opened
    const [row] = group.rows
    const uuid = uuidIn(cellIn(row, columnFor(sheet, 'uuid')).trim())
    const name = cellIn(row, columnNamed(sheet, 'name')) || String(made.before?.values.name ?? '')
    const bundle = made.before?.bundle ?? bundleOfRow(this.#judging.opened, row) ?? ''
    const tags = group.rows.flatMap((one) => tagsOfRow(sheet, one))
    this.#above.add({ row: row.row, bundle, name, tags, id: made.id ?? made.before?.id }, uuid)
    for (const key of this.#keysOf(group, made.before)) this.#spoken.set(key, row.row)
  }

  /** The row above that is about the same record. */
  #speakerOf(group: RowGroup, before: StoredRecord | undefined): number | undefined {
    const rows = this.#keysOf(group, before).flatMap((key) => this.#spoken.get(key) ?? [])
    return rows.find((row) => row !== group.rows[0].row)
  }

  #keysOf(group: RowGroup, before: StoredRecord | undefined): readonly string[] {
    if (before !== undefined) return [`id ${before.id}`]
    return (askedBy(this.#judging.opened.sheet, group)?.words ?? []).map((word) => `word ${trimmedTextKey(word)}`)
  }

  #fault(group: RowGroup, message: string, allowed?: readonly string[]): SheetFault {
    const [row] = group.rows
    const column = askedBy(this.#judging.opened.sheet, group)?.column
    const place = { row: row.row, column: column?.header ?? '', value: cellIn(row, column) }
    return { ...place, message, ...(allowed === undefined ? {} : { allowed }) }
  }
}

const faulty = (faults: readonly SheetFault[]): Judgement => ({ decision: { is: 'fault', faults }, awaited: undefined })

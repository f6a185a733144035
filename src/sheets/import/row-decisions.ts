import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { limits } from '../../limits.ts'
import type { Records } from '../../records/records.ts'
import { draftOfNew } from '../../records/writing/create.ts'
import { isMatch, keepRequired, matchForm, revisionsNamed } from '../../records/writing/draft.ts'
import { saysNothingNew } from '../../records/writing/unchanged.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { type BodyContext, changeIn, newRecordIn } from '../../wire-1x/record-draft.ts'
import { withRecordAddresses } from '../../wire-1x/spelling.ts'
import { doubtAboutDone, withDone } from './done-or-planned.ts'
import { matchWordsOf, tagsOfRow } from './match-rows.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import {
  type NamedInCells,
  numberIn,
  type RowAbove,
  RowsAbove,
  referenceReader,
  type WordsByType,
} from './references.ts'
import { bodyOf, type RowContext } from './row-body.ts'
import type { RowLookup } from './row-lookup.ts'
import { cellIn, columnFor, columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'

export interface ImportContext {
  readonly installation: Records
  readonly caller: Caller
  readonly opened: OpenedSheet
}

/** The decision, and the rows above that must be written first. */
interface Judgement {
  readonly decision: RowDecision
  readonly awaited: RowAbove | undefined
}

/** Decides row by row what to write, with the rows above in view. */
export class RowJudge {
  readonly #judging: ImportContext
  readonly #intake: BodyContext
  readonly #above = new RowsAbove()
  readonly #spoken = new Map<string, number>()

  constructor(judging: ImportContext) {
    this.#judging = judging
    const { farm, vocabularies, settings } = judging.installation
    this.#intake = { farm, vocabularies, address: settings.baseUrl, present: judging.opened.present }
  }

  judge(group: RowGroup, standing: RowLookup): Judgement {
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
    const referred = referenceReader({
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

  /** From here on, later rows can refer to this one. */
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

  /** The row above about the same record. */
  #speakerOf(group: RowGroup, before: StoredRecord | undefined): number | undefined {
    const rows = this.#keysOf(group, before).flatMap((key) => this.#spoken.get(key) ?? [])
    return rows.find((row) => row !== group.rows[0].row)
  }

  #keysOf(group: RowGroup, before: StoredRecord | undefined): readonly string[] {
    if (before !== undefined) return [`id ${before.id}`]
    return (matchWordsOf(this.#judging.opened.sheet, group)?.words ?? []).map((word) => `word ${trimmedTextKey(word)}`)
  }

  #fault(group: RowGroup, message: string, allowed?: readonly string[]): RowFault {
    const [row] = group.rows
    const column = matchWordsOf(this.#judging.opened.sheet, group)?.column
    const place = { row: row.row, column: column?.header ?? '', value: cellIn(row, column) }
    return { ...place, message, ...(allowed === undefined ? {} : { allowed }) }
  }
}

const faulty = (faults: readonly RowFault[]): Judgement => ({ decision: { is: 'fault', faults }, awaited: undefined })

export type RowDecision =
  | { readonly is: 'fault'; readonly faults: readonly RowFault[] }
  | {
      readonly is: 'create'
      readonly tree: Tree
      readonly uuid: string | undefined
      /** Asked once per sheet. */
      readonly doubt: RowFault | undefined
    }
  | { readonly is: 'change'; readonly tree: Tree; readonly before: StoredRecord }
  | { readonly is: 'unchanged'; readonly before: StoredRecord }

interface DecisionContext {
  readonly installation: Records
  readonly caller: Caller
  readonly intake: BodyContext
  readonly sheet: SheetInput
}

/** Decides what to write for some rows, and finds the faults that need no write. */
function decisionOn({ sheet, ...deciding }: DecisionContext, group: RowGroup, reader: RowContext): RowDecision {
  const { tree: said, faults } = bodyOf(sheet, group, reader)
  const { before, bundle } = reader
  const now = deciding.installation.clock()
  const tree = before === undefined ? withDone(sheet, { tree: said, now }) : said
  const stale =
    before === undefined ? [] : faultsOfVersion(sheet, group, { before, edition: deciding.installation.edition })
  const form = before === undefined ? newFaults(deciding, sheet, tree) : undefined
  const draft = before === undefined ? undefined : changeIn(deciding.intake, tree)(before)
  if (draft !== undefined && before !== undefined) keepRequired(draft, before.values)
  const ofForm = placed(sheet, group, form ?? draft?.faults ?? [])
  // A cell that cannot be read gets no second fault.
  const all = [...faults, ...stale, ...ofForm.filter(({ column }) => !faults.some((one) => one.column === column))]
  if (all.length > 0) return { is: 'fault', faults: all }
  if (before === undefined || draft === undefined) {
    const doubt = doubtAboutDone(sheet, { group, tree, bundle, now })
    return { is: 'create', tree, uuid: uuidIn(tree.uuid), doubt }
  }
  return saysNothingNew(draft, before) ? { is: 'unchanged', before } : { is: 'change', tree, before }
}

function newFaults(
  { installation, caller, intake }: Omit<DecisionContext, 'sheet'>,
  { type }: SheetInput,
  tree: Tree,
): readonly RefusalFault[] {
  try {
    return draftOfNew(installation, caller, newRecordIn(intake, type.name, tree)).draft.faults
  } catch (error) {
    if (error instanceof Refusal && error.details.faults !== undefined) return error.details.faults
    throw error
  }
}

interface KnownRevision {
  readonly before: StoredRecord
  readonly edition: string
}

/** A row whose record changed after the export. */
function faultsOfVersion(
  sheet: SheetInput,
  { rows: [row] }: RowGroup,
  { before, edition }: KnownRevision,
): readonly RowFault[] {
  const column = columnFor(sheet, 'version')
  const cell = cellIn(row, column).trim()
  if (column === undefined || cell === '' || sheet.options.stale === 'overwrite') return []
  const place = { row: row.row, column: column.header, value: cell }
  if (!isMatch(cell)) return [{ ...place, message: `must be ${matchForm}` }]
  const seen = revisionsNamed(cell, edition)
  if (seen === undefined || seen.includes(before.revision)) return []
  const message = `${before.type} ${before.id} has changed since; read it again, or send the sheet with overwrite=1`
  return [{ ...place, message }]
}

/** Moves the faults of a body to their cells. */
function placed(sheet: SheetInput, { rows: [row] }: RowGroup, faults: readonly RefusalFault[]): readonly RowFault[] {
  return faults.map(({ field, message, allowed }) => {
    const path = field.replace(/\[\d+\]/g, '')
    const column =
      sheet.columns.find(({ name }) => path === name || path.startsWith(`${name}.`)) ??
      sheet.columns.find(({ member }) => member?.of === path)
    const place = { row: row.row, column: column?.header ?? path, value: cellIn(row, column) }
    return { ...place, message, ...(allowed === undefined ? {} : { allowed }) }
  })
}

/** Moves the faults of a refusal to their cells. */
export function faultsOfRefusal(sheet: SheetInput, group: RowGroup, refusal: Refusal): readonly RowFault[] {
  const { details, message } = withRecordAddresses(refusal)
  const faults = placed(sheet, group, details.faults ?? [])
  return faults.length > 0 ? faults : [{ row: group.rows[0].row, column: '', value: '', message }]
}

/** Rows checked together, and the records found for them. */
interface RowsLookup {
  readonly standing: RowLookup
  readonly words: WordsByType
}

interface JudgedRow extends RowsLookup {
  readonly group: RowGroup
  readonly decision: RowDecision
}

/** Decisions made before the write began. Each holds while its records are unchanged. */
export class JudgedRows {
  readonly #rows = new Map<number, JudgedRow>()
  #standing: RowLookup | undefined
  #hold = new Map<RowLookup, boolean>()

  /** A sheet written in several transactions keeps no decisions, and makes them again. */
  add(group: RowGroup, { decision, awaited }: Judgement, look: RowsLookup): void {
    if (awaited === undefined && this.#rows.size < limits.sheet.rows)
      this.#rows.set(group.rows[0].row, { ...look, group, decision })
  }

  /** The earlier decision, unless the rows must be judged again. */
  still(group: RowGroup, now: RowLookup): RowDecision | undefined {
    const judged = this.#rows.get(group.rows[0].row)
    if (judged === undefined || !this.#namesHold(judged, now)) return undefined
    const match = now.matchOf(group)
    if (!isDeepStrictEqual(match, judged.standing.matchOf(judged.group))) return undefined
    if (match?.is !== 'there') return judged.decision
    const [had, has] = [judged.standing.stored(match.id), now.stored(match.id)]
    return had?.revision === has?.revision ? judged.decision : undefined
  }

  #namesHold({ standing, words }: RowsLookup, now: RowLookup): boolean {
    if (this.#standing !== now) this.#hold = new Map()
    this.#standing = now
    const known = this.#hold.get(standing)
    if (known !== undefined) return known
    const holds = standForTheSame(words, standing.named, now.named)
    this.#hold.set(standing, holds)
    return holds
  }
}

function standForTheSame(words: WordsByType, before: NamedInCells, now: NamedInCells): boolean {
  return [...words].every(([type, those]) =>
    [...those].every((word) => {
      const [number, uuid] = [numberIn(word), uuidIn(word)]
      const foundIn = (named: NamedInCells) => [
        named.called(type, word),
        type === 'asset' ? named.tagged(word) : [],
        number === undefined ? undefined : named.numbered(type, number),
        uuid === undefined ? undefined : named.under(uuid),
      ]
      return isDeepStrictEqual(foundIn(before), foundIn(now))
    }),
  )
}

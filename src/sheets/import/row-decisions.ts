import type { Caller } from '../../access/caller.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { isoTime } from '../../fields/time.ts'
import type { Records } from '../../records/records.ts'
import { draftOfNew } from '../../records/writing/create.ts'
import { isMatch, keepRequired, matchForm, revisionsNamed } from '../../records/writing/draft.ts'
import { saysNothingNew } from '../../records/writing/unchanged.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { KnownId } from '../../wire-1x/read-field.ts'
import type { BodyContext } from '../../wire-1x/record-draft.ts'
import { changeIn, newRecordIn } from '../../wire-1x/record-draft.ts'
import { withRecordAddresses } from '../../wire-1x/spelling.ts'
import { type AnimalFacts, factsOfRow } from './animal-facts.ts'
import type { CropPlanting } from './crop-plantings.ts'
import { matchWordsOf, tagsOfRow } from './match-rows.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import { type RowAbove, RowsAbove, referenceReader } from './references.ts'
import { bodyOf, type RowContext } from './row-body.ts'
import type { RowLookup } from './row-lookup.ts'
import { topicsOf } from './row-topics.ts'
import {
  cellIn,
  columnFor,
  columnNamed,
  doubtAboutDone,
  type RowGroup,
  type SheetInput,
  withDone,
} from './sheet-input.ts'

export interface ImportContext {
  readonly installation: Records
  readonly caller: Caller
  readonly opened: OpenedSheet
}

/** What is asked for, and the row above that has to be kept first. */
export interface Judgement {
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
    const remembered = before === undefined ? standing.rememberedOf(group) : undefined
    if (remembered?.is === 'recorded') return { decision: remembered, awaited: undefined }
    const planting = before === undefined ? standing.plantingOf(group) : undefined
    if (planting?.is === 'several') return faulty([this.#cropFault(group, planting.names)])
    const judged = decisionOn(deciding, group, { referred, before, bundle, planting })
    const doubt = planting?.is === 'new' && planting.isDoubtful ? this.#perennialDoubt(group) : undefined
    const decision =
      judged.is === 'create'
        ? { ...judged, uuid: judged.uuid ?? remembered?.uuid, doubt: doubt ?? judged.doubt }
        : judged
    return { decision, awaited }
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

  #cropFault({ rows: [row] }: RowGroup, names: readonly string[]): RowFault {
    const [column] = topicsOf(this.#judging.opened.sheet, 'crop')
    const message = 'may be one of several plantings; name it in a column for assets'
    return { row: row.row, column: column?.header ?? '', value: cellIn(row, column), message, allowed: names }
  }

  #perennialDoubt({ rows: [row] }: RowGroup): RowFault {
    const [column] = topicsOf(this.#judging.opened.sheet, 'crop')
    const value = cellIn(row, column)
    const message = `grows for several years: ${value}; say perennial=all (one planting over all years) or perennial=none (one for each year)`
    return { row: row.row, column: column?.header ?? '', value, message, allowed: ['perennial=all', 'perennial=none'] }
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
      /** Without the planting that its crop means, which may have to be made first. */
      readonly tree: Tree
      readonly uuid: string | undefined
      /** Of an animal: what becomes logs of its own. */
      readonly facts?: AnimalFacts
      /** Asked once for the whole sheet. */
      readonly doubt: RowFault | undefined
    }
  | {
      readonly is: 'change'
      readonly tree: Tree
      readonly before: StoredRecord
      readonly facts?: AnimalFacts
      readonly doubt?: RowFault | undefined
    }
  | {
      readonly is: 'unchanged'
      readonly before: StoredRecord
      readonly facts?: AnimalFacts
      readonly doubt?: RowFault | undefined
    }
  | { readonly is: 'recorded'; readonly id: number; readonly isRemoved: boolean }

interface DecisionContext {
  readonly installation: Records
  readonly caller: Caller
  readonly intake: BodyContext
  readonly sheet: SheetInput
}

/** What rows ask for, and whatever is wrong with that as far as it can be told without a change. */
function decisionOn(
  { sheet, ...deciding }: DecisionContext,
  group: RowGroup,
  { planting, ...reader }: RowContext & { readonly planting: CropPlanting | undefined },
): RowDecision {
  const { tree: read, faults } = bodyOf(sheet, group, reader)
  const { before, bundle } = reader
  const now = deciding.installation.clock()
  const today = isoTime(now, sheet.zone).slice(0, 10)
  const {
    facts,
    doubt: ofWeight,
    faults: ofFacts,
  } = factsOfRow(sheet, group.rows[0], {
    today,
    isGone: Number(before?.values.archived ?? 0) > 0,
  })
  const left = facts?.until === undefined ? {} : { archived: facts.until }
  const tree: Tree = { ...(before === undefined ? withDone(sheet, { tree: read, now }) : read), ...left }
  const stale =
    before === undefined ? [] : faultsOfVersion(sheet, group, { before, edition: deciding.installation.edition })
  const form = before === undefined ? newFaults(deciding, sheet, withPlanting(tree, planting)) : undefined
  const draft = before === undefined ? undefined : changeIn(deciding.intake, tree)(before)
  if (draft !== undefined && before !== undefined) keepRequired(draft, before.values)
  const ofForm = placed(sheet, group, form ?? draft?.faults ?? [])
  // Of a cell that cannot be read no more is said.
  const all = [
    ...faults,
    ...ofFacts,
    ...stale,
    ...ofForm.filter(({ column }) => !faults.some((one) => one.column === column)),
  ]
  if (all.length > 0) return { is: 'fault', faults: all }
  if (before === undefined || draft === undefined) {
    const doubt = ofWeight ?? doubtAboutDone(sheet, { group, tree, bundle, now })
    return { is: 'create', tree, uuid: uuidIn(tree.uuid), doubt, ...(facts === undefined ? {} : { facts }) }
  }
  const beside = { before, doubt: ofWeight, ...(facts === undefined ? {} : { facts }) }
  return saysNothingNew(draft, before) ? { is: 'unchanged', ...beside } : { is: 'change', tree, ...beside }
}

/** The body of a log with the planting that its crop means; the first log of a new one says where it stands. */
export function withPlanting(tree: Tree, planting: CropPlanting | undefined): Tree {
  if (planting === undefined || planting.is === 'several') return tree
  const { id, name } = planting.is === 'there' ? planting : planting.planting
  const asset = [{ id: new KnownId('asset', id ?? 1, name) }]
  const isFirst = planting.is === 'new' && Number(tree.timestamp) === planting.planting.first
  if (!isFirst || tree.area === undefined || tree.movement !== undefined) return { ...tree, asset }
  return { ...tree, asset, movement: { area: tree.area } }
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

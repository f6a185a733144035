import { animalBundle } from '../../farm/bundle-names.ts'
import type { Tree } from '../../fields/place.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { unguarded } from '../../formats/csv/write-csv.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { idsOfBundle, knownBy } from '../../storage/records/record-lookup.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import { plainReference } from '../../wire-1x/spelling.ts'
import { faultIn } from '../../words/sheet-words.ts'
import { bundleOfRow, type OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import { hasDays, hasNumbers, type RowGroup } from './sheet-input.ts'

export type RowResult =
  | { readonly result: 'created'; readonly id: number; readonly isDone: boolean; readonly about: RowSubject }
  | { readonly result: 'changed' | 'unchanged'; readonly id: number }
  /** An earlier import made a record of it; it may have been removed since. */
  | { readonly result: 'recorded'; readonly id: number; readonly isRemoved: boolean }
  | { readonly result: 'fault'; readonly faults: readonly RowFault[] }

/** What a new record is about, for the summary of an import. */
export interface RowSubject {
  readonly bundle: string
  readonly year: string
  readonly crop: string
  /** The planting that was made for its crop. */
  readonly planting: string
}

/** Further faults are counted, not listed. */
const mostFaultsTold = 1_000

const results = ['created', 'changed', 'unchanged', 'fault'] as const

/** Further counts, where there is something to count. */
type MoreCounts = { done?: number; planned?: number; recorded?: number }

/** How many rows became what, and of new logs how many are done and how many are planned. */
export type ImportCounts = Readonly<Record<(typeof results)[number], number> & MoreCounts>

export const noRows: ImportCounts = { created: 0, changed: 0, unchanged: 0, fault: 0 }

export function countsOf({ sheet }: Pick<OpenedSheet, 'sheet'>, rows: Iterable<RowResult>): ImportCounts {
  const counts = { created: 0, changed: 0, unchanged: 0, fault: 0 }
  let [done, recorded] = [0, 0]
  for (const one of rows) {
    if (one.result === 'recorded') recorded += 1
    else counts[one.result] += 1
    if (one.result === 'created' && one.isDone) done += 1
  }
  const isOfLogs = sheet.type.name === 'log' && counts.created > 0
  return {
    ...counts,
    ...(isOfLogs ? { done, planned: counts.created - done } : {}),
    ...(recorded === 0 ? {} : { recorded }),
  }
}

/** What new records are about: their types, their years, how many crops they name, how many plantings were made for these. */
export function summaryOf(rows: Iterable<RowResult>) {
  const types: Record<string, number> = {}
  const seen = { year: new Set<string>(), crop: new Set<string>(), planting: new Set<string>() }
  for (const one of rows) {
    if (one.result !== 'created') continue
    types[one.about.bundle] = (types[one.about.bundle] ?? 0) + 1
    for (const name of ['year', 'crop', 'planting'] as const)
      if (one.about[name] !== '') seen[name].add(one.about[name])
  }
  return { types, years: [...seen.year].sort(), crops: seen.crop.size, plantings: seen.planting.size }
}

export const addedCounts = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  created: one.created + other.created,
  changed: one.changed + other.changed,
  unchanged: one.unchanged + other.unchanged,
  fault: one.fault + other.fault,
  ...(one.done === undefined && other.done === undefined
    ? {}
    : { done: (one.done ?? 0) + (other.done ?? 0), planned: (one.planned ?? 0) + (other.planned ?? 0) }),
  ...(one.recorded === undefined && other.recorded === undefined
    ? {}
    : { recorded: (one.recorded ?? 0) + (other.recorded ?? 0) }),
})

/** What was found out about a sheet, for whoever wants to know whether it was read as it was meant. */
export const detectedFormat = ({ sheet, source, notes, remembered }: OpenedSheet) => ({
  ...source.found,
  head_row: sheet.headRow,
  match: sheet.match ?? null,
  timezone: sheet.zone,
  ...(notes.length === 0 ? {} : { notes }),
  ...(remembered === undefined ? {} : { remembered }),
  columns: sheet.columns.map(({ header, name, use, at, field, because }) => {
    const form = sheet.forms.get(at)
    const taken = use === 'computed' || use === 'nothing' ? { taken: false as const } : {}
    return {
      column: header,
      field: name,
      ...(because === 'name' ? {} : { because }),
      ...taken,
      ...(form !== undefined && hasNumbers(field) ? { decimal: form.sign } : {}),
      ...(form !== undefined && hasDays(field) ? { dates: form.order } : {}),
    }
  }),
})

const rowNumbers = ({ rows: [first, ...others] }: RowGroup) => {
  const last = others.at(-1)
  return { row: first.row, ...placeOf(first), ...(last === undefined ? {} : { to_row: last.row }) }
}

const placeOf = ({ place }: CsvRow) => (place === undefined ? {} : { place })

/** A fault in the language that the sender reads. */
const faultTree = ({ sheet: { options } }: Pick<OpenedSheet, 'sheet'>, { row: _, ...fault }: RowFault) => ({
  ...fault,
  value: shortened(fault.value),
  message: faultIn(options.language ?? 'en', fault.message),
})

const shortened = (value: string): string => (value.length > 200 ? `${value.slice(0, 197)}…` : value)

/** The result of every row, as in the answer. */
export async function rowResults(snapshot: Snapshot, opened: OpenedSheet, { written, base }: WrittenRows) {
  const type = opened.sheet.type.name
  const ids = [...written.values()].flatMap((one) => (one.result === 'fault' ? [] : [one.id]))
  const known = await knownBy(snapshot, type, ids)
  let listed = 0
  return [...written].map(([group, result]) => {
    if (result.result !== 'fault') {
      const { uri, id, resource } = plainReference(base, type, result.id)
      const uuid = known.get(result.id)?.uuid
      return {
        ...rowNumbers(group),
        ...{ result: result.result, id, ...(uuid === undefined ? {} : { uuid }), uri, resource },
        ...(result.result === 'recorded' && result.isRemoved ? { removed: true as const } : {}),
      }
    }
    listed += result.faults.length
    const faults = listed > mostFaultsTold ? [] : result.faults.map((fault) => faultTree(opened, fault))
    return { ...rowNumbers(group), result: 'fault' as const, faults }
  })
}

/** Further animals are counted, not listed. */
const mostAnimalsListed = 100

/**
 * Animals of the farm that a register does not name, unless they are archived. Undefined for other sheets, and for those
 * that name no animal that was there before.
 */
export async function animalsNotIn(
  snapshot: Snapshot,
  opened: OpenedSheet,
  { written, base }: WrittenRows,
): Promise<MissingAnimals | undefined> {
  if (opened.sheet.type.name !== 'asset' || opened.sheet.match === undefined) return undefined
  const areAnimals = [...written.keys()].every(({ rows: [row] }) => bundleOfRow(opened, row) === animalBundle)
  const named = new Set([...written.values()].flatMap((one) => (one.result === 'fault' ? [] : [one.id])))
  const wasThere = [...written.values()].some(({ result }) => result === 'changed' || result === 'unchanged')
  if (!areAnimals || !wasThere) return undefined
  const others = (await idsOfBundle(snapshot, 'asset', animalBundle)).filter((id) => !named.has(id))
  const stored = await recordsByIds(snapshot, 'asset', others)
  const missing = [...stored.values()].filter(({ values }) => Number(values.archived ?? 0) === 0)
  const animals = missing.slice(0, mostAnimalsListed).map((one) => {
    const { uri, id, resource } = plainReference(base, 'asset', one.id)
    return { id, uuid: one.uuid, uri, resource, name: String(one.values.name ?? '') }
  })
  return { count: missing.length, animals }
}

export interface MissingAnimals {
  readonly count: number
  readonly animals: readonly {
    readonly id: string
    readonly uuid: string
    readonly uri: string
    readonly resource: string
    readonly name: string
  }[]
}

interface WrittenRows {
  readonly written: ReadonlyMap<RowGroup, RowResult>
  readonly base: string
}

/** A sheet of which nothing is kept: whatever is wrong with it, and what was found out about it. */
export function sheetRefused(opened: OpenedSheet, faults: readonly RowFault[], shown: readonly CsvRow[]): Refusal {
  const listed = faults.slice(0, mostFaultsTold)
  const [first] = listed
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const detail = `${first === undefined ? '' : faultPlace(first)}: ${first?.message}${more}. Nothing of the sheet was kept.`
  const rows = new Map<number, Tree[]>()
  for (const fault of listed) rows.set(fault.row, [...(rows.get(fault.row) ?? []), faultTree(opened, fault)])
  return new Refusal('invalid-content', detail, {
    faults: listed.map((fault) => {
      const { message, allowed } = fault
      return { field: faultPlace(fault), message, ...(allowed === undefined ? {} : { allowed }) }
    }),
    members: {
      counts: { faults: faults.length, not_told: faults.length - listed.length },
      found: detectedFormat(opened),
      shown: shown.map(shownTree),
      rows: [...rows].map(([row, those]) => ({ row, result: 'fault', faults: those })),
    },
  })
}

/** Longer cells are cut where they are only shown. */
const longestShown = 500

/** A row as it stands in the sheet. */
export const shownTree = (row: CsvRow) => ({
  row: row.row,
  ...placeOf(row),
  cells: row.cells.map((cell) => unguarded(cell).slice(0, longestShown)),
})

/** Where a fault stands, for people. */
export const faultPlace = ({ row, column }: Pick<RowFault, 'row' | 'column'>): string =>
  column === '' ? `row ${row}` : `row ${row}, column ${JSON.stringify(column)}`

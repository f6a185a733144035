import type { ReferableType } from '../../fields/field.ts'
import { isTree } from '../../fields/place.ts'
import type { Value } from '../../fields/value.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { limits } from '../../limits.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Pauses } from '../../storage/pauses.ts'
import type { InputColumn } from './headers.ts'
import { type RowResult, sheetRefused } from './import-outcome.ts'
import { JudgedRows, namesParents, parentsFirst } from './judged-rows.ts'
import { groupsIn, inSlicesOf } from './match-rows.ts'
import { formsFromCells, type OpenedSheet } from './open-sheet.ts'
import type { RowFault } from './read-cell.ts'
import type { WordsByType } from './references.ts'
import { type ImportContext, RowJudge } from './row-decisions.ts'
import { lookUpRecords, lookUpRows, RowMemory, wordsIn } from './row-lookup.ts'

import { ColumnForms, type RowGroup } from './sheet-input.ts'
import { rowsOf } from './sheet-source.ts'
import { type RowsToWrite, writeRows } from './write-rows.ts'

/** A sheet whose rows were all checked. */
export interface CheckedImport extends CheckedRows {
  readonly opened: OpenedSheet
  /** Faults of the head. If there are any, no row is checked. */
  readonly head: readonly RowFault[]
  /** Its headers, its first rows, and the first of those that something is wrong with. */
  readonly shown: readonly CsvRow[]
}

/** Finds all faults that can be found without writing. Holds no lock. */
export async function checkSheet(judging: ImportContext, behind = 0): Promise<CheckedImport> {
  const opened = await withForms(judging)
  if (opened.faults.length > 0)
    return { opened, head: opened.faults, shown: await shownRows(opened, []), ...unlooked() }
  const checked = await checkRows({ ...judging, opened }, behind)
  const shown = await shownRows(opened, [...checked.rows.keys()])
  const head = checked.doubt === undefined ? [] : [checked.doubt]
  return { opened, head, shown, ...checked }
}

const [firstRows, faultyRows] = [5, 20]

/** The rows that a preview shows; it stops behind the last of them. */
async function shownRows({ source, sheet }: OpenedSheet, faulty: readonly RowGroup[]): Promise<readonly CsvRow[]> {
  const wanted = new Set(faulty.slice(0, faultyRows).map(({ rows: [{ row }] }) => row))
  const last = Math.max(sheet.headRow, ...wanted)
  const shown: CsvRow[] = []
  for await (const row of rowsOf(source)) {
    if (row.row < sheet.headRow) continue
    if (shown.length <= firstRows || wanted.has(row.row)) shown.push(row)
    else if (row.row > last) break
  }
  return shown
}

const unlooked = (): CheckedRows => ({
  ...{ rows: new Map(), doubt: undefined, judged: undefined, memory: new RowMemory() },
  ...{ groups: [], words: new Map() },
})

/** Refuses a sheet that has faults, unless its sender wants to have the rest. */
export function refuseFaulty({ opened, head, rows, shown }: CheckedImport): void {
  if (head.length > 0) throw sheetRefused(opened, head, shown)
  const faults = [...rows.values()].flat()
  if (faults.length > 0 && opened.sheet.options.onFault === 'refuse') throw sheetRefused(opened, faults, shown)
}

/** Writes the rows, all or nothing, unless the user wants the valid ones. */
export async function importRows(
  work: WriteContext,
  { opened, judged, shown, memory }: CheckedImport,
  rows: Pick<RowsToWrite, 'groups' | 'words'>,
): Promise<ReadonlyMap<RowGroup, RowResult>> {
  const written = await writeRows(work, opened, { ...rows, judged, memory })
  const faults = [...written.values()].flatMap((one) => (one.result === 'fault' ? one.faults : []))
  if (faults.length > 0 && opened.sheet.options.onFault === 'refuse') throw sheetRefused(opened, faults, shown)
  return written
}

/** Records per lookup. */
const recordsAtOnce = 2_000

/** Adds the number and date format of each column, from its cells and, in doubt, from the existing records. */
async function withForms(judging: ImportContext): Promise<OpenedSheet> {
  const { opened } = judging
  if (opened.faults.length > 0) return opened
  const fromCells = await formsFromCells(opened)
  const found = fromCells.isInDoubt ? await formsBesideRecords(judging) : fromCells
  const faults: RowFault[] = []
  const forms = found.forms(opened.sheet.columns, faults)
  return { ...opened, sheet: { ...opened.sheet, forms }, faults }
}

async function formsBesideRecords({ installation, opened }: ImportContext): Promise<ColumnForms> {
  const { sheet, source } = opened
  const forms = new ColumnForms(sheet.columns, sheet.options)
  for await (const groups of inSlicesOf(groupsIn(sheet, source), recordsAtOnce)) {
    const standing = await installation.database.read((snapshot) => lookUpRecords(snapshot, opened, groups))
    for (const group of groups) {
      const match = standing.matchOf(group)
      const before = match?.is === 'there' ? standing.stored(match.id) : undefined
      for (const [nth, row] of group.rows.entries())
        forms.add(row, (column) => numberIn(before?.values ?? {}, column, nth))
    }
  }
  return forms
}

function numberIn(
  values: Readonly<Record<string, Value>>,
  { name, member }: InputColumn,
  nth: number,
): string | undefined {
  const value = values[member?.of ?? name]
  if (member === undefined) return value === undefined ? undefined : String(value)
  const part: unknown = Array.isArray(value) ? value[nth] : value
  return isTree(part) && part[member.name] !== undefined ? String(part[member.name]) : undefined
}

/** The result of checking rows without writing. */
interface CheckedRows {
  /** Only rows with faults. */
  readonly rows: ReadonlyMap<RowGroup, readonly RowFault[]>
  /** A question about all rows that the user must answer first. */
  readonly doubt: RowFault | undefined
  /** Undefined if there are faults. */
  readonly judged: JudgedRows | undefined
  /** All rows, unless there are more than one request may send. */
  readonly groups: readonly RowGroup[] | undefined
  /** Words in these rows that refer to other records. */
  readonly words: WordsByType
  /** It remembers the rows written so far. */
  readonly memory: RowMemory
}

const inOrder = <T>(rows: ReadonlyMap<RowGroup, T>): ReadonlyMap<RowGroup, T> =>
  new Map(
    [...rows].toSorted(
      (
        [
          {
            rows: [one],
          },
        ],
        [
          {
            rows: [other],
          },
        ],
      ) => one.row - other.row,
    ),
  )

/** Checks every row after that one. */
async function checkRows(judging: ImportContext, behind: number): Promise<CheckedRows> {
  const { installation, opened } = judging
  const judge = new RowJudge(judging)
  const pauses = new Pauses()
  const memory = new RowMemory()
  const judged = new JudgedRows()
  const faults = new Map<RowGroup, readonly RowFault[]>()
  const all: RowGroup[] = []
  const allWords = new Map<ReferableType, Set<string>>()
  let doubt: RowFault | undefined
  // A parent can stand anywhere in a register.
  const atOnce = namesParents(opened.sheet) ? limits.sheet.rows : recordsAtOnce
  for await (const groups of inSlicesOf(groupsIn(opened.sheet, opened.source, behind), atOnce)) {
    const words = wordsIn(opened, groups, memory)
    if (all.length <= limits.sheet.rows) {
      all.push(...groups)
      for (const [type, those] of words) allWords.set(type, new Set([...(allWords.get(type) ?? []), ...those]))
    }
    const standing = await installation.database.read((snapshot) =>
      lookUpRows(snapshot, opened, { groups, words, memory }),
    )
    for (const group of parentsFirst(opened.sheet, groups)) {
      await pauses.ifDue()
      const judgement = judge.judge(group, standing)
      const { decision } = judgement
      if (decision.is === 'fault') faults.set(group, decision.faults)
      if ('doubt' in decision) doubt ??= decision.doubt
      judged.add(group, judgement, { standing, words })
      judge.note(group, 'before' in decision ? { before: decision.before } : {})
    }
  }
  // Rows can depend on rows above, some of which may be refused.
  return {
    ...{ rows: inOrder(faults), doubt, judged: faults.size === 0 ? judged : undefined, memory: memory.fromTheStart() },
    ...{ groups: all.length > limits.sheet.rows ? undefined : all, words: allWords },
  }
}

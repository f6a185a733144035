import type { Work } from '../../../../records/writing/work.ts'
import { type CheckedRows, checkRows, withForms } from './check-rows.ts'
import { groupsIn, inSlicesOf } from './groups.ts'
import type { Judging } from './judge.ts'
import type { OpenedSheet } from './opened-sheet.ts'
import { sheetRefused } from './outcome.ts'
import type { RowGroup } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'
import { wordsIn } from './standing.ts'
import { type RowResult, type RowsToWrite, writeRows } from './write-rows.ts'

/** A sheet that was looked at from its first row to its last. */
export interface CheckedSheet extends CheckedRows {
  readonly opened: OpenedSheet
  /** What is wrong with its head or has to be asked first: then nothing is said of its rows. */
  readonly head: readonly SheetFault[]
}

/** Finds whatever is wrong with a sheet, as far as that can be told without a change. Nobody waits for it. */
export async function checkSheet(judging: Judging, behind = 0): Promise<CheckedSheet> {
  const opened = await withForms(judging)
  if (opened.faults.length > 0) return { opened, head: opened.faults, ...unlooked }
  const checked = await checkRows({ ...judging, opened }, behind)
  return { opened, head: checked.doubt === undefined ? [] : [checked.doubt], ...checked }
}

const unlooked: CheckedRows = { rows: new Map(), doubt: undefined, judged: undefined }

/** Refuses a sheet that has faults, unless its sender wants to have the rest. */
export function refuseFaulty({ opened, head, rows }: CheckedSheet): void {
  if (head.length > 0) throw sheetRefused(opened, head)
  const faults = [...rows.values()].flat()
  if (faults.length > 0 && opened.sheet.options.onFault === 'refuse') throw sheetRefused(opened, faults)
}

/** All rows of a sheet, with the words in them that stand for other records. */
export async function rowsToWrite(opened: OpenedSheet): Promise<Omit<RowsToWrite, 'judged'>> {
  const groups: RowGroup[] = []
  for await (const slice of inSlicesOf(groupsIn(opened.sheet, opened.source), 1_000)) groups.push(...slice)
  return { groups, words: wordsIn(opened, groups) }
}

/** Does what the rows ask for, all or nothing, unless its sender wants to have what can be done. */
export async function importRows(
  work: Work,
  { opened, judged }: CheckedSheet,
  rows: Omit<RowsToWrite, 'judged'>,
): Promise<ReadonlyMap<RowGroup, RowResult>> {
  const written = await writeRows(work, opened, { ...rows, judged })
  const faults = [...written.values()].flatMap((one) => (one.result === 'fault' ? one.faults : []))
  if (faults.length > 0 && opened.sheet.options.onFault === 'refuse') throw sheetRefused(opened, faults)
  return written
}

import type { RecordType } from '../../farm/farm.ts'
import { dayAt } from '../../fields/day.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { doneWords } from './import-options.ts'
import type { RowFault } from './read-cell.ts'
import { columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'

/** A row for a new log, and the time of the import. */
interface NewLog {
  readonly group: RowGroup
  readonly tree: Tree
  readonly bundle: string | undefined
  readonly now: number
}

/** Adds `done` to a new log whose row does not say it: a log of today or earlier is done. */
export function withDone(sheet: SheetInput, { tree, now }: Pick<NewLog, 'tree' | 'now'>): Tree {
  const { done } = sheet.options
  const isSaid = tree.done !== undefined || (done === undefined && columnNamed(sheet, 'done') !== undefined)
  if (sheet.type.name !== 'log' || isSaid) return tree
  return { ...tree, done: done === '1' || (done !== '0' && isPast(sheet, tree, now)) }
}

/** Compares days in the farm's zone. An invalid time is not past. */
function isPast({ zone }: SheetInput, { timestamp }: Tree, now: number): boolean {
  const second = Number(timestamp)
  return second <= now || (second < now + longestDay && dayAt(second, zone) === dayAt(now, zone))
}

/** 25 hours and more, where clocks are put back. */
const longestDay = 2 * 86_400

/** Explains why the date does not decide whether a log is done. The user is asked once per sheet. */
export function doubtAboutDone(sheet: SheetInput, log: NewLog): RowFault | undefined {
  const { type, options, plan } = sheet
  if (type.name !== 'log' || options.done !== undefined || columnNamed(sheet, 'done') !== undefined) return undefined
  if (plan !== undefined)
    return { ...plan, column: plan.value, message: `seems to say that these logs are planned; ${advice}`, allowed }
  const isHarvest = type.bundles[log.bundle ?? '']?.report === 'harvest'
  if (!isHarvest || !isPast(sheet, log.tree, log.now) || hasAmount(log.tree)) return undefined
  const message = `is a harvest of the past without an amount: it may be done or planned; ${advice}`
  return { row: log.group.rows[0].row, column: 'done', value: '', message, allowed }
}

const allowed = doneWords.map((word) => `done=${word}`)
const advice = 'say done=1 (all are done), done=0 (all are planned) or done=day (each by its day)'

function hasAmount({ quantity }: Tree): boolean {
  const each: readonly unknown[] = Array.isArray(quantity) ? quantity : [quantity]
  return each.some((one) => isTree(one) && one.value !== undefined && one.value !== null && one.value !== '')
}

/** Words for plans: alone, at the end of a longer one (*Anbauplan*), or before what is planned (*Planmenge*). */
const planned =
  /(?:plan|plans|planned|planning|planung|geplante?[mnrs]?|planificad[oa]s?|planificaci[oó]n|planead[oa]s?)(?!\p{L})|(?<!\p{L})plan(?:menge|datum|termin|jahr|wert)/iu

/** The first cell of the title or the headers that mentions a plan. */
export function planIn(type: RecordType, rows: readonly CsvRow[]): Pick<RowFault, 'row' | 'value'> | undefined {
  if (type.name !== 'log') return undefined
  for (const { row, cells } of rows) {
    const value = cells.find((cell) => planned.test(cell))
    if (value !== undefined) return { row, value }
  }
  return undefined
}

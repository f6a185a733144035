import type { RecordType } from '../../farm/farm.ts'
import { dayAt } from '../../fields/day.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { doneWords } from './import-options.ts'
import type { RowFault } from './read-cell.ts'
import { columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'

/** A row that makes a log, and the moment at which it does. */
interface NewLog {
  readonly group: RowGroup
  readonly tree: Tree
  readonly bundle: string | undefined
  readonly now: number
}

/** The body of a new log with whether it is done, where its row does not say so: today or earlier it is. */
export function withDone(sheet: SheetInput, { tree, now }: Pick<NewLog, 'tree' | 'now'>): Tree {
  const { done } = sheet.options
  const isSaid = tree.done !== undefined || (done === undefined && columnNamed(sheet, 'done') !== undefined)
  if (sheet.type.name !== 'log' || isSaid) return tree
  return { ...tree, done: done === '1' || (done !== '0' && isPast(sheet, tree, now)) }
}

/** By day, in the zone of the farm. What is no time, or beyond every calendar, is not. */
function isPast({ zone }: SheetInput, { timestamp }: Tree, now: number): boolean {
  const second = Number(timestamp)
  return second <= now || (second < now + longestDay && dayAt(second, zone) === dayAt(now, zone))
}

/** 25 hours and more, where clocks are put back. */
const longestDay = 2 * 86_400

/** Why the day alone does not tell whether a log is done: it is asked about once for the whole sheet. */
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

/** The first cell of the title or the headers that speaks of a plan. */
export function planIn(type: RecordType, rows: readonly CsvRow[]): Pick<RowFault, 'row' | 'value'> | undefined {
  if (type.name !== 'log') return undefined
  for (const { row, cells } of rows) {
    const value = cells.find((cell) => planned.test(cell))
    if (value !== undefined) return { row, value }
  }
  return undefined
}

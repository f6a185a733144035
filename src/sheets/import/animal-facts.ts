import { activityBundle, groupBundle, observationBundle } from '../../farm/bundle-names.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { momentIn } from '../../formats/csv/dates.ts'
import { amountIn, numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { Transaction } from '../../storage/database.ts'
import { recordsCalled } from '../../storage/records/record-lookup.ts'
import { KnownId } from '../../wire-1x/read-field.ts'
import type { InputColumn } from './headers.ts'
import type { RowFault } from './read-cell.ts'
import { topicCell, topicsOf } from './row-topics.ts'
import { cellIn, type SheetInput } from './sheet-input.ts'

/** What the row of an animal says that only logs can say. */
export interface AnimalFacts {
  readonly weight: Tree | undefined
  readonly weighed: number | undefined
  readonly place: string
  readonly herd: string
  readonly since: number | undefined
  readonly until: number | undefined
  readonly reason: string
}

interface FoundFacts {
  readonly facts: AnimalFacts | undefined
  readonly faults: readonly RowFault[]
  /** The day of weights that no column says, which is asked once for all rows. */
  readonly doubt: RowFault | undefined
}

const none: FoundFacts = { facts: undefined, faults: [], doubt: undefined }

const subjects = ['weight', 'weighed', 'place', 'herd', 'arrival', 'departure', 'reason'] as const

/** The facts of the row of a new animal, and what is wrong with them. */
export function factsOfRow(sheet: SheetInput, row: CsvRow, today: string): FoundFacts {
  if (sheet.type.name !== 'asset' || !subjects.some((one) => topicsOf(sheet, one).length > 0)) return none
  const faults: RowFault[] = []
  const fault = (column: InputColumn, message: string): undefined => {
    faults.push({ row: row.row, column: column.header, value: cellIn(row, column), message })
  }
  const dayOf = (subject: 'weighed' | 'arrival' | 'departure'): number | undefined => {
    const [column] = topicsOf(sheet, subject)
    const cell = cellIn(row, column).trim()
    if (column === undefined || cell === '') return undefined
    const moment = momentIn(cell, { order: sheet.forms.get(column.at)?.order ?? 'ymd', zone: sheet.zone })
    return 'second' in moment ? moment.second : fault(column, moment.fault)
  }
  const weight = weightOf(sheet, row, fault)
  const weighed = dayOf('weighed') ?? secondOf(sheet)
  const facts: AnimalFacts = {
    ...{ weight, weighed, since: dayOf('arrival'), until: dayOf('departure') },
    place: topicCell(sheet, row, 'place'),
    herd: topicCell(sheet, row, 'herd'),
    reason: topicCell(sheet, row, 'reason'),
  }
  return {
    facts,
    faults,
    doubt: weight !== undefined && weighed === undefined ? doubtOf(sheet, row, today) : undefined,
  }
}

function weightOf(
  sheet: SheetInput,
  row: CsvRow,
  fault: (column: InputColumn, message: string) => undefined,
): Tree | undefined {
  const [column] = topicsOf(sheet, 'weight')
  const cell = cellIn(row, column).trim()
  if (column === undefined || cell === '') return undefined
  const { number, unit = column.topic?.unit } = amountIn(cell) ?? { number: cell }
  const sign = row.numbers?.has(column.at) ? '.' : (sheet.forms.get(column.at)?.sign ?? '.')
  const value = numberBy(sign, number)
  if (value === undefined) return fault(column, 'is not a weight such as 412 kg')
  return { measure: 'weight', value, ...(unit === undefined ? {} : { unit: { name: unit } }) }
}

/** The day that the sender gives for all weights. */
function secondOf({ options, zone }: SheetInput): number | undefined {
  const moment = options.weighed === undefined ? undefined : momentIn(options.weighed, { order: 'ymd', zone })
  return moment !== undefined && 'second' in moment ? moment.second : undefined
}

function doubtOf(sheet: SheetInput, row: CsvRow, today: string): RowFault {
  const [column] = topicsOf(sheet, 'weight')
  const message = 'has no day on which it was weighed; say weighed= and the day for all weights of the sheet'
  const place = { row: row.row, column: column?.header ?? '', value: cellIn(row, column) }
  return { ...place, message, allowed: [`weighed=${today}`] }
}

/** An animal that was made, and what its row says beside. */
export interface AnimalWithFacts {
  readonly id: number
  readonly name: string
  readonly facts: AnimalFacts
}

/** The herds that are there, by the keys of their names. */
export async function herdsCalled(tx: Transaction, animals: readonly AnimalWithFacts[]): Promise<Map<string, number>> {
  const names = animals.map(({ facts }) => trimmedTextKey(facts.herd)).filter((key) => key !== '')
  const found = await recordsCalled(tx, 'asset', [...new Set(names)])
  return new Map(
    [...found].flatMap(([key, those]) => {
      const herd = those.find(({ bundle }) => bundle === groupBundle)
      return herd === undefined ? [] : [[key, herd.id] as const]
    }),
  )
}

interface LogContext {
  readonly herds: ReadonlyMap<string, number>
  readonly now: number
  /** What types of logs are called, in the farm's language. */
  readonly labels: Readonly<Record<string, string>>
}

/** The logs that say where an animal is, to which herd it belongs, what it weighed, when it came and when it went. */
export function logsOfAnimal(
  { id, name, facts }: AnimalWithFacts,
  { herds, now, labels }: LogContext,
): readonly Tree[] {
  const asset = [{ id: new KnownId('asset', id, name) }]
  const logOf = (type: string, timestamp: number, rest: Tree): Tree => ({
    ...{ type, timestamp, done: timestamp <= now, asset },
    name: [labels[type] ?? '', name].join(' ').trim().slice(0, 255),
    ...rest,
  })
  const herd = herds.get(trimmedTextKey(facts.herd))
  const stay = {
    ...(facts.place === '' ? {} : { movement: { area: [{ name: facts.place }] } }),
    ...(herd === undefined ? {} : { membership: { group: [{ id: new KnownId('asset', herd, facts.herd) }] } }),
  }
  const logs: Tree[] = []
  if (facts.since !== undefined)
    logs.push(logOf(activityBundle, facts.since, { ...stay, log_category: [{ name: 'Arrival' }] }))
  else if (Object.keys(stay).length > 0) logs.push(logOf(activityBundle, facts.until ?? now, stay))
  if (facts.weight !== undefined && facts.weighed !== undefined)
    logs.push(logOf(observationBundle, facts.weighed, { quantity: [facts.weight] }))
  if (facts.until !== undefined) {
    const notes = facts.reason === '' ? {} : { notes: facts.reason }
    logs.push(logOf(activityBundle, facts.until, { ...notes, log_category: [{ name: 'Departure' }] }))
  }
  return logs
}

import { createHash } from 'node:crypto'
import {
  activityBundle,
  areaBundle,
  birthBundle,
  comingAndGoing,
  groupBundle,
  observationBundle,
  purchaseBundle,
  saleBundle,
} from '../../farm/bundle-names.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { momentIn } from '../../formats/csv/dates.ts'
import { amountIn, numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { Transaction } from '../../storage/database.ts'
import { staysOfAssets } from '../../storage/history/withholding-rows.ts'
import { identitiesOf } from '../../storage/identity.ts'
import { recordsCalled } from '../../storage/records/record-lookup.ts'
import { KnownId } from '../../wire-1x/read-field.ts'
import { meaningOf } from '../../words/sheet-words.ts'
import type { InputColumn } from './headers.ts'
import type { RowFault } from './read-cell.ts'
import { cameWords, topicCell, topicsOf } from './row-topics.ts'
import { cellIn, columnNamed, type SheetInput } from './sheet-input.ts'

/** What the row of an animal says that only logs can say. */
export interface AnimalFacts {
  readonly weight: Tree | undefined
  readonly weighed: number | undefined
  readonly place: string
  readonly herd: string
  readonly since: number | undefined
  readonly until: number | undefined
  readonly reason: string
  readonly came: 'born' | 'bought' | 'arrived'
  readonly went: 'sold' | 'died' | 'slaughtered' | 'departed'
}

interface FoundFacts {
  readonly facts: AnimalFacts | undefined
  readonly faults: readonly RowFault[]
  /** The day of weights or departures that no column says, which is asked once for all rows. */
  readonly doubt: RowFault | undefined
}

const none: FoundFacts = { facts: undefined, faults: [], doubt: undefined }

const subjects = ['weight', 'weighed', 'place', 'herd', 'arrival', 'departure', 'reason', 'came_by'] as const

/** The facts of the row of an animal, and what is wrong with them. */
export function factsOfRow(
  sheet: SheetInput,
  row: CsvRow,
  { today, isGone }: { readonly today: string; readonly isGone: boolean },
): FoundFacts {
  if (sheet.type.name !== 'asset' || !subjects.some((one) => topicsOf(sheet, one).length > 0)) return none
  const faults: RowFault[] = []
  const fault = (column: InputColumn, message: string): undefined => {
    faults.push({ row: row.row, column: column.header, value: cellIn(row, column), message })
  }
  const dayIn = (column: InputColumn | undefined): number | undefined => {
    const cell = cellIn(row, column).trim()
    if (column === undefined || cell === '') return undefined
    const moment = momentIn(cell, { order: sheet.forms.get(column.at)?.order ?? 'ymd', zone: sheet.zone })
    return 'second' in moment ? moment.second : fault(column, moment.fault)
  }
  const dayOf = (subject: 'weighed' | 'arrival' | 'departure') => dayIn(topicsOf(sheet, subject)[0])
  const weight = weightOf(sheet, row, fault)
  const weighed = dayOf('weighed') ?? secondOf(sheet, sheet.options.weighed)
  const since = dayOf('arrival')
  const isBornHere = since !== undefined && since === dayIn(columnNamed(sheet, 'date'))
  const departure = dayOf('departure')
  const left = departure === undefined ? wentIn(sheet, topicCell(sheet, row, 'reason')) : undefined
  // An animal that is archived here has left on a day of its own.
  const until = departure ?? (left === undefined || isGone ? undefined : secondOf(sheet, sheet.options.left))
  const facts: AnimalFacts = {
    ...{ weight, weighed, since, until },
    place: topicCell(sheet, row, 'place'),
    herd: topicCell(sheet, row, 'herd'),
    reason: topicCell(sheet, row, 'reason'),
    came: isBornHere ? 'born' : cameIn(sheet, row),
    went: wentIn(sheet, topicCell(sheet, row, 'reason')) ?? wentIn(sheet, headerOf(sheet, 'departure')) ?? 'departed',
  }
  const isUndated = left !== undefined && until === undefined && !isGone && faults.length === 0
  const doubt = weight !== undefined && weighed === undefined ? doubtOf(sheet, row, today) : undefined
  return { facts, faults, doubt: isUndated ? doubtOfDeparture(sheet, row, today) : doubt }
}

const headerOf = (sheet: SheetInput, subject: 'arrival' | 'departure'): string =>
  topicsOf(sheet, subject)[0]?.header ?? ''

/** How an animal came, by the word for the reason or by the header of the day. */
function cameIn(sheet: SheetInput, row: CsvRow): AnimalFacts['came'] {
  const [said, header] = [topicCell(sheet, row, 'came_by'), headerOf(sheet, 'arrival')].map((text) =>
    meaningOf(text, cameWords, sheet.languages),
  )
  const meant = said ?? header
  return meant === 'born' || meant === 'bought' ? meant : 'arrived'
}

/** How an animal left, by the word for the reason or by the header of the day. */
function wentIn({ languages }: SheetInput, text: string): 'sold' | 'died' | 'slaughtered' | undefined {
  const meaning = meaningOf(text, ['sold', 'died', 'slaughtered'], languages)
  return meaning === 'sold' || meaning === 'died' || meaning === 'slaughtered' ? meaning : undefined
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

/** A day that the sender gives for all rows. */
function secondOf({ zone }: SheetInput, day: string | undefined): number | undefined {
  const moment = day === undefined ? undefined : momentIn(day, { order: 'ymd', zone })
  return moment !== undefined && 'second' in moment ? moment.second : undefined
}

function doubtOf(sheet: SheetInput, row: CsvRow, today: string): RowFault {
  const [column] = topicsOf(sheet, 'weight')
  const message = 'has no day on which it was weighed; say weighed= and the day for all weights of the sheet'
  const place = { row: row.row, column: column?.header ?? '', value: cellIn(row, column) }
  return { ...place, message, allowed: [`weighed=${today}`] }
}

/** Sold, died or slaughtered: the animal must not stand in the herd in silence. */
function doubtOfDeparture(sheet: SheetInput, row: CsvRow, today: string): RowFault {
  const [column] = topicsOf(sheet, 'reason')
  const message = 'has left, and no column says when; say left= and the day for all such animals of the sheet'
  const yearEnd = `${Number(today.slice(0, 4)) - 1}-12-31`
  const place = { row: row.row, column: column?.header ?? '', value: cellIn(row, column) }
  return { ...place, message, allowed: [`left=${yearEnd}`, `left=${today}`] }
}

/** An animal, and what its row says beside. */
export interface AnimalWithFacts {
  readonly id: number
  readonly name: string
  readonly facts: AnimalFacts
}

/** Records of the farm that concern the animals of some rows. */
export interface AnimalsThere {
  /** Herds by the keys of their names. */
  readonly herds: Map<string, number>
  /** Terms of log categories that say how animals come and go. */
  readonly categories: Map<AnimalCategory, number>
  /** Where each animal is, and in which herds. */
  readonly areas: ReadonlyMap<number, readonly string[]>
  readonly groups: ReadonlyMap<number, readonly number[]>
  /** Logs that earlier imports made of such rows. */
  readonly made: ReadonlySet<string>
}

export type AnimalCategory = keyof typeof comingAndGoing

/** The category of the logs that facts need; sales and purchases are types of their own. */
export const categoriesNeeded = ({ since, until, came, went }: AnimalFacts): readonly AnimalCategory[] => [
  ...(since !== undefined && came === 'arrived' ? (['arrived'] as const) : []),
  ...(until !== undefined && went !== 'sold' ? [went] : []),
]

export async function lookUpAnimals(
  tx: Transaction,
  animals: readonly AnimalWithFacts[],
  now: number,
): Promise<AnimalsThere> {
  const keys = (texts: readonly string[]) => [...new Set(texts.map(trimmedTextKey))].filter((key) => key !== '')
  const ids = animals.map(({ id }) => id)
  const called = await recordsCalled(tx, 'asset', keys(animals.map(({ facts }) => facts.herd)))
  const places = await recordsCalled(tx, 'term', keys(animals.map(({ facts }) => facts.place)))
  const areaKeys = new Map(
    [...places].flatMap(([key, terms]) =>
      terms.filter(({ bundle }) => bundle === areaBundle).map(({ id }) => [id, key] as const),
    ),
  )
  const here = async (kind: 'movement' | 'membership') =>
    (await staysOfAssets(tx, ids, { kind, until: now })).filter(({ until }) => until > now)
  const words = Object.entries(comingAndGoing) as [AnimalCategory, { readonly uuid: string }][]
  const terms = await identitiesOf(
    tx,
    words.map(([, { uuid }]) => uuid),
  )
  const uuids = animals.flatMap(({ id, facts }) => factUuids(id, facts))
  return {
    herds: new Map(
      [...called].flatMap(([key, those]) => {
        const herd = those.find(({ bundle }) => bundle === groupBundle)
        return herd === undefined ? [] : [[key, herd.id] as const]
      }),
    ),
    categories: new Map(
      words.flatMap(([word, { uuid }]) => {
        const term = terms.get(uuid)
        return term?.type === 'term' && term.removed === null ? [[word, term.number] as const] : []
      }),
    ),
    areas: grouped(await here('movement'), ({ place }) => areaKeys.get(place) ?? ''),
    groups: grouped(await here('membership'), ({ place }) => place),
    made: new Set((await identitiesOf(tx, uuids)).keys()),
  }
}

function grouped<S extends { readonly asset: number }, T>(stays: readonly S[], of: (stay: S) => T) {
  const values = new Map<number, T[]>()
  for (const stay of stays) values.set(stay.asset, [...(values.get(stay.asset) ?? []), of(stay)])
  return values
}

/** Logs of a fact have UUIDs that follow from it, so that a register that comes again records nothing twice. */
function factUuid(animal: number, fact: string): string {
  const digest = createHash('sha256').update(`animal ${animal} ${fact}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

const weightFact = ({ weight, weighed }: AnimalFacts): string => `weight ${weighed} ${JSON.stringify(weight)}`

const factUuids = (id: number, facts: AnimalFacts): readonly string[] =>
  [weightFact(facts), `came ${facts.since}`, `went ${facts.until}`].map((fact) => factUuid(id, fact))

interface LogContext extends AnimalsThere {
  readonly now: number
  /** What types of logs are called, in the farm's language. */
  readonly labels: Readonly<Record<string, string>>
}

/** The logs that say where an animal is, to which herd it belongs, what it weighed, when it came and when it went. */
export function logsOfAnimal({ id, name, facts }: AnimalWithFacts, there: LogContext): readonly Tree[] {
  const { herds, now, labels, categories, made } = there
  const asset = [{ id: new KnownId('asset', id, name) }]
  const logOf = (type: string, timestamp: number, rest: Tree): Tree => ({
    ...{ type, timestamp, done: timestamp <= now, asset },
    name: [labels[type] ?? '', name].join(' ').trim().slice(0, 255),
    ...rest,
  })
  const herd = herds.get(trimmedTextKey(facts.herd))
  const isThere = there.areas.get(id)?.includes(trimmedTextKey(facts.place)) === true
  const isMember = herd !== undefined && there.groups.get(id)?.includes(herd) === true
  const stay = {
    ...(facts.place === '' || isThere ? {} : { movement: { area: [{ name: facts.place }] } }),
    ...(herd === undefined || isMember
      ? {}
      : { membership: { group: [{ id: new KnownId('asset', herd, facts.herd) }] } }),
  }
  const category = (word: AnimalCategory): Tree => {
    const term = categories.get(word)
    const { name: called } = comingAndGoing[word]
    return { log_category: [term === undefined ? { name: called } : { id: new KnownId('term', term, called) }] }
  }
  const logs: Tree[] = []
  const [weight, cameUuid, wentUuid] = factUuids(id, facts)
  const isArrival = facts.since !== undefined && !made.has(cameUuid ?? '')
  if (isArrival && facts.since !== undefined) {
    const came = facts.came === 'arrived' ? category('arrived') : {}
    const type = { arrived: activityBundle, bought: purchaseBundle, born: birthBundle }[facts.came]
    logs.push(logOf(type, facts.since, { ...stay, ...came, uuid: cameUuid }))
  } else if (Object.keys(stay).length > 0) logs.push(logOf(activityBundle, facts.until ?? now, stay))
  if (facts.weight !== undefined && facts.weighed !== undefined && !made.has(weight ?? ''))
    logs.push(logOf(observationBundle, facts.weighed, { quantity: [facts.weight], uuid: weight }))
  if (facts.until !== undefined && !made.has(wentUuid ?? '')) {
    const notes = facts.reason === '' ? {} : { notes: facts.reason }
    const went = facts.went === 'sold' ? {} : category(facts.went)
    const type = facts.went === 'sold' ? saleBundle : activityBundle
    logs.push(logOf(type, facts.until, { ...notes, ...went, uuid: wentUuid }))
  }
  return logs
}

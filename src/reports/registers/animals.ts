import { sumDecimals } from '../../fields/exact-decimal.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type StaySpan, staysOfAssets } from '../../storage/history/withholding-rows.ts'
import { recordsByIds, termNames } from '../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { AnimalStock, animalLogs, archivedOf, categoriesOf, eventOf } from './animal-stock.ts'
import {
  asLog,
  missingIn,
  type Register,
  RegisterNames,
  type RegisterRequest,
  type RegisterRow,
  tagsOf,
  textIn,
} from './register.ts'

/** The animals at the end of the last day of the period, a line for each. */
export async function animalsOnDay(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone, say }: RegisterRequest,
): Promise<Register> {
  const second = asked.to - 1
  const stock = await AnimalStock.of(snapshot, installation, second)
  const animals = stock.there(second)
  const ids = animals.map(({ id }) => id)
  const herds = await staysOfAssets(snapshot, ids, { kind: 'membership', until: second })
  const sites = await staysOfAssets(snapshot, ids, { kind: 'movement', until: second })
  const groups = await recordsByIds(snapshot, 'asset', [...new Set(herds.map(({ place }) => place))])
  const names = await termNames(snapshot, [
    ...new Set([...sites.map(({ place }) => place), ...animals.flatMap(typesOf)]),
  ])
  const known = await RegisterNames.of(snapshot, [], { zone, until: asked.to })
  const [herdsOf, sitesOf] = [lastingBy(herds, second), lastingBy(sites, second)]
  const heads = new Map<string, string[]>()
  const rows = animals.map((animal): RegisterRow => {
    const { since, by, log } = stock.beginningOf(animal.id)
    const species = typesOf(animal).flatMap((type) => names.get(type) ?? [])
    const head = stock.headOf(animal.id)
    const [kind = ''] = species
    heads.set(kind, [...(heads.get(kind) ?? []), head])
    const born = Number(animal.values.date ?? 0)
    const cells: RegisterRow['cells'] = {
      tag: tagsOf(animal).join(', '),
      name: nameOf(animal) ?? '',
      species: species.join(', '),
      sex: animal.values.animal_sex === undefined ? '' : say(`sex.${textIn(animal.values.animal_sex)}`),
      born: born === 0 ? '' : known.day(born),
      herd: (herdsOf.get(animal.id) ?? [])
        .flatMap(({ place }) => nameOf(groups.get(place) ?? nothing) ?? [])
        .join(', '),
      place: (sitesOf.get(animal.id) ?? []).flatMap(({ place }) => names.get(place) ?? []).join(', '),
      since: since === undefined ? '' : known.day(since),
      since_by: say(`since.${by}`),
      head,
    }
    return { cells, logs: log === undefined ? [] : [log], missing: missingIn(cells, ['tag']) }
  })
  const sums = [...heads].map(([of, those]) => ({ of, amount: sumDecimals(those), size: '', rate: '', logs: [] }))
  return { rows, sums: sums.toSorted((one, other) => (one.of < other.of ? -1 : 1)) }
}

/** The stays that last at a second, by asset. */
function lastingBy(stays: readonly StaySpan[], second: number): ReadonlyMap<number, readonly StaySpan[]> {
  const found = new Map<number, StaySpan[]>()
  for (const stay of stays) {
    if (stay.from > second || second >= stay.until) continue
    const known = found.get(stay.asset)
    if (known === undefined) found.set(stay.asset, [stay])
    else known.push(stay)
  }
  return found
}

const nothing = { values: {} } as StoredRecord

/** The species or breed of an animal. */
const typesOf = ({ values }: StoredRecord): readonly number[] =>
  [values.animal_type].flat().filter((id): id is number => typeof id === 'number')

/** Animals that came and went between two days, in order of time. What was there, and came, and did not go, is there. */
export async function comingsAndGoings(
  snapshot: Snapshot,
  installation: Records,
  { asked, zone, say }: RegisterRequest,
): Promise<Register> {
  const stock = await AnimalStock.of(snapshot, installation, asked.to - 1)
  const categories = await categoriesOf(snapshot)
  const logs = (await animalLogs(snapshot, installation, { asked, categories })).flatMap((log) => {
    const what = eventOf(log, categories)
    return what === undefined ? [] : [{ log, what }]
  })
  const known = await RegisterNames.of(
    snapshot,
    logs.map(({ log }) => log),
    { zone, until: asked.to, more: [...stock.animals.keys()] },
  )
  const species = await termNames(snapshot, [...new Set([...stock.animals.values()].flatMap(typesOf))])
  const speciesOf = (ids: readonly number[]) =>
    [
      ...new Set(ids.flatMap((id) => typesOf(stock.animals.get(id) ?? nothing)).flatMap((id) => species.get(id) ?? [])),
    ].join(', ')
  const told = logs.flatMap(({ log, what }): readonly TimedRow[] => {
    const heads = stock.headsIn(log)
    if (heads.length === 0) return []
    const animals = [...new Set(heads.map(({ asset }) => asset))]
    const { customer, seller, invoice_number, lot_number } = asLog(log.values)
    const cells: RegisterRow['cells'] = {
      day: known.day(log.timestamp),
      what: say(`event.${what}`),
      animals: known.tagged(animals),
      species: speciesOf(animals),
      head: heads.some(({ head }) => head === undefined) ? '' : sumDecimals(heads.flatMap(({ head }) => head ?? [])),
      partner: textIn(customer) || textIn(seller),
      invoice: textIn(invoice_number),
      lot: textIn(lot_number),
      entered: known.enteredLate(log),
    }
    const needed = what === 'sold' || what === 'bought' ? (['head', 'partner'] as const) : (['head'] as const)
    return [{ at: log.timestamp, row: { cells, logs: [log.id], missing: missingIn(cells, needed) } }]
  })
  const line = (asset: number, { at, what, head, logs = [] }: UntoldEvent): TimedRow => ({
    at,
    row: {
      cells: {
        day: known.day(at),
        what: say(`event.${what}`),
        animals: known.tagged([asset]),
        species: speciesOf([asset]),
        head,
      },
      logs,
      missing: ['what'],
    },
  })
  const { recounts, tagged } = await stock.recounts(snapshot, asked)
  const unexplained = [...stock.animals.values()].flatMap((animal): readonly TimedRow[] => {
    const { id } = animal
    const { since, by } = stock.beginningOf(id)
    const isIn = (at: number) => asked.from <= at && at < asked.to
    const hasCome = since !== undefined && by === 'unknown' && isIn(since) && !tagged.has(id)
    const came = hasCome ? [line(id, { at: since, what: 'came', head: stock.headOf(id, since) })] : []
    const gone = archivedOf(animal)
    const left = gone > 0 && isIn(gone) && !stock.isSentAway(id, gone) && stock.headOf(id, gone) !== '0'
    return [...came, ...(left ? [line(id, { at: gone, what: 'left', head: stock.headOf(id, gone) })] : [])]
  })
  const counted = recounts.map(({ asset, at, log, head }) => line(asset, { at, what: 'counted', head, logs: [log] }))
  const rows = [...told, ...unexplained, ...counted].toSorted((one, other) => one.at - other.at)
  return { rows: rows.map(({ row }) => row), sums: [] }
}

/** Reasons that nobody recorded: why an animal came or left, or why a count changed. */
interface UntoldEvent {
  readonly at: number
  readonly what: 'came' | 'left' | 'counted'
  readonly head: string
  readonly logs?: readonly number[]
}

interface TimedRow {
  readonly at: number
  readonly row: RegisterRow
}

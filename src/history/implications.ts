import type { logProperties } from '../farm/logs/properties.ts'
import type { standardFields } from '../farm/logs/standard-fields.ts'
import type { PartValue, Values, ValuesOfFields } from '../fields/value.ts'
import { Refusal } from '../refusal.ts'
import type { InventoryChange, InventoryUnit } from '../storage/history/inventory-rows.ts'
import {
  type ByThing,
  nowhere,
  type PlacedThing,
  type PlacedThings,
  placeTypes,
  type Stay,
  type StayKind,
  thingTypes,
} from '../storage/history/stay-rows.ts'
import type { RecordToStore, StoredRecord } from '../storage/records/stored.ts'

/** The effects of a record on the histories of assets. */
interface Implications {
  readonly stays: readonly Stay[]
  readonly inventoryChanges: readonly InventoryChange[]
}

/** More rows would block other writers too long. */
export const mostStays = 5_000

const nothing: Implications = { stays: [], inventoryChanges: [] }

/** The effects of a record, or none without one: only logs have effects. */
export const implicationsOf = (record: StoredRecord | undefined): Implications =>
  record?.type === 'log' ? impliedBy(record) : nothing

/** Only done logs count; their time is compared on reading. */
function impliedBy(log: StoredRecord): Implications {
  const things = thingsOf(log.values)
  const movement = movementOf(log.values)
  const groups = membershipOf(log.values)
  const destinations: readonly Destinations[] = [
    ...(movement === undefined ? [] : [{ kind: 'movement', places: thingsIn(movement) } as const]),
    ...(groups === undefined ? [] : [{ kind: 'membership', places: thingsIn({ areas: [], assets: groups }) } as const]),
  ]
  for (const one of destinations) {
    refuseCrowd(things, one)
    refuseOwnPlace(things, one)
  }
  if (!isDone(log.values)) return nothing
  const timestamp = momentOf(log.values)
  return {
    stays: destinations.flatMap((one) =>
      things
        .filter(({ ids }) => ids.length > 0)
        .map((some) => ({ kind: one.kind, things: some, timestamp, log: log.id, places: placesKept(one) })),
    ),
    inventoryChanges: adjustmentsOf(log.values).map((adjustment, position) => ({
      ...adjustment,
      timestamp,
      log: log.id,
      position,
    })),
  }
}

interface Destinations {
  readonly kind: StayKind
  readonly places: readonly PlacedThing[]
}

/**
 * The places without duplicates. A movement without an area, or a membership without a group, adds "nowhere", which
 * ends the earlier stay.
 */
function placesKept({ kind, places }: Destinations): readonly PlacedThing[] {
  const type = placeTypes[kind]
  const once = byType(places).flatMap(({ type, ids }) => ids.map((id) => ({ type, id })))
  return once.some((place) => place.type === type) ? once : [{ type, id: nowhere }, ...once]
}

interface LogChange {
  /** Missing for a new log. */
  readonly before?: RecordToStore
  readonly after: RecordToStore
}

/** Number of stay rows that a change of a log adds. */
export const stayRowsAdded = ({ before, after }: LogChange): number =>
  staysWithout(staysOf(after), staysOf(before)).reduce(
    (sum, { things, places }) => sum + things.ids.length * places.length,
    0,
  )

/** The id of the log does not matter here, and a new log has none. */
const staysOf = (record: RecordToStore | undefined): readonly Stay[] =>
  record === undefined ? [] : implicationsOf({ ...record, id: 0 }).stays

/** Stays that are not among the others. */
export function staysWithout(stays: readonly Stay[], others: readonly Stay[]): readonly Stay[] {
  return stays.flatMap((stay) => {
    const same = others.find((other) => spelled(other) === spelled(stay))
    const ids = stay.things.ids.filter((id) => !same?.things.ids.includes(id))
    return ids.length === 0 ? [] : [{ ...stay, things: { ...stay.things, ids } }]
  })
}

const spelled = ({ kind, things, timestamp, log, places }: Stay): string =>
  [kind, things.type, timestamp, log, ...places.map(({ type, id }) => `${type} ${id}`)].join()

/** Also checked for a log that is not done: it could never become done. */
function refuseOwnPlace(things: readonly PlacedThings[], { kind, places }: Destinations): void {
  const own = places.find(({ type, id }) => things.some((some) => some.type === type && some.ids.includes(id)))
  if (own !== undefined) throw insideItself(kind, own, own)
}

/** The refusal to put a thing into itself. */
export function insideItself(kind: StayKind, thing: PlacedThing, place: PlacedThing): Refusal {
  const message =
    kind === 'membership'
      ? `would make the group ${thing.id} a member of itself`
      : `would put the ${called(thing)} into itself`
  return refused(fieldOf(kind, place), message)
}

const called = ({ type, id }: PlacedThing): string => `${type === 'term' ? 'area' : 'asset'} ${id}`

/** The field of a log that names such a place. */
const fieldOf = (kind: StayKind, { type }: PlacedThing): string =>
  kind === 'membership' ? 'membership.group' : type === 'term' ? 'movement.area' : 'movement.place'

/** Every thing stays in every place, so one small log could otherwise need a million rows. */
function refuseCrowd(things: readonly PlacedThings[], { kind, places }: Destinations): void {
  const count = things.reduce((sum, { ids }) => sum + ids.length, 0)
  const [place] = places
  if (place === undefined || count * places.length <= mostStays) return
  const message = `${count} assets in ${places.length} places each are too many for one log: at most ${mostStays} together`
  throw refused(fieldOf(kind, place), message)
}

const refused = (field: string, message: string): Refusal =>
  new Refusal('invalid-content', `${field}: ${message}.`, { faults: [{ field, message }] })

/** A log as the catalogue types it: a renamed field does not compile here. */
type Log = ValuesOfFields<typeof logProperties & typeof standardFields>

// The cast is safe: only values of the catalogue are stored.
const asLog = (values: Values): Log => values as Log

export const isDone = (values: Values): boolean => asLog(values).status === 'done'

export const momentOf = (values: Values): number => Number(asLog(values).timestamp)

export const assetsOf = (values: Values): readonly number[] => [...new Set(asLog(values).asset)]

/** The subjects of the log: assets and areas that it moves or puts into groups. */
export const thingsOf = (values: Values): readonly PlacedThings[] => {
  const areas = [...new Set(asLog(values).asset_area)]
  const assets = { type: 'asset', ids: assetsOf(values) } as const
  return areas.length === 0 ? [assets] : [assets, { type: 'term', ids: areas }]
}

/** Areas, and assets that are places. */
export interface Places {
  readonly areas: readonly number[]
  readonly assets: readonly number[]
}

export const thingsIn = ({ areas, assets }: Places): readonly PlacedThing[] => [
  ...areas.map((id) => ({ type: 'term', id }) as const),
  ...assets.map((id) => ({ type: 'asset', id }) as const),
]

/** A movement as the rules read it. Without a place or geometry the assets have left every place. */
export interface Movement extends Places {
  /** Empty if the movement has none. */
  readonly geometry: string
}

/** The movement of the log; undefined without one. */
export function movementOf(values: Values): Movement | undefined {
  const { area: areas = [], place: assets = [], geometry = '', leaves } = asLog(values).movement ?? {}
  const isSaid = areas.length > 0 || assets.length > 0 || geometry !== '' || leaves === true
  return isSaid ? { areas, assets, geometry } : undefined
}

/** The place and geometry of a log that moves nothing. */
export function siteOf(values: Values): Places & { readonly geometries: readonly string[] } {
  const { place = [], geofield = [] } = asLog(values)
  return { areas: areasOfSite(values), assets: place, geometries: geofield }
}

export function areasOfSite(values: Values): readonly number[] {
  const { area = [], aside } = asLog(values)
  return aside === undefined ? area : area.filter((id) => !aside.includes(id))
}

/** The groups that replace all earlier ones; undefined if the log does not change membership. */
export function membershipOf(values: Values): readonly number[] | undefined {
  const { group = [], leaves } = asLog(values).membership ?? {}
  return group.length > 0 || leaves === true ? group : undefined
}

/** Each quantity has its own UUID. */
export const quantitiesOf = (values: Values): readonly PartValue[] =>
  (asLog(values).quantity as readonly PartValue[] | undefined) ?? none

const none: readonly PartValue[] = []

export type Adjustment = Pick<InventoryChange, 'thing' | 'value' | 'does'> & InventoryUnit

/** The default of adjustments without measure and unit; 1.x has no others. */
export const plainCount: InventoryUnit = { measure: 'count', unit: 0 }

/** Inventory adjustments in the order of the log. */
export function adjustmentsOf(values: Values): readonly Adjustment[] {
  const { quantity = [], inventory = [] } = asLog(values)
  const plain = inventory.flatMap(({ asset, value }) =>
    asset === undefined || value === undefined
      ? []
      : [{ ...plainCount, thing: { type: 'asset', id: asset }, value, does: 'change' } as const],
  )
  return [...quantity.flatMap(adjustmentsBy), ...plain]
}

type Quantity = NonNullable<Log['quantity']>[number]

function adjustmentsBy({ measure = '', unit = 0, value, adjustment, ...of }: Quantity): readonly Adjustment[] {
  if (value === undefined || adjustment === undefined) return []
  const things = thingsIn({ assets: listed(of.inventory_asset), areas: listed(of.inventory_area) })
  const does = adjustment === 'reset' ? 'reset' : 'change'
  return things.map((thing) => ({
    thing,
    measure,
    unit,
    does,
    value: adjustment === 'decrement' ? negated(value) : value,
  }))
}

const listed = (id: number | undefined): readonly number[] => (id === undefined ? [] : [id])

const negated = (decimal: string): string =>
  decimal.startsWith('-') ? decimal.slice(1) : `-${decimal.replace(/^\+/, '')}`

/** Computes something for assets and for areas, one call each. */
export async function eachType<T>(
  things: readonly PlacedThings[],
  workOut: (some: PlacedThings) => Promise<ReadonlyMap<number, T>>,
): Promise<ByThing<T>> {
  const of = (type: PlacedThings['type']) => {
    const ids = [...new Set(things.flatMap((some) => (some.type === type ? some.ids : [])))]
    return ids.length === 0 ? new Map<number, T>() : workOut({ type, ids })
  }
  return { asset: await of('asset'), term: await of('term') }
}

/** Groups things into assets and areas, without duplicates. */
export const byType = (things: readonly PlacedThing[]): readonly PlacedThings[] =>
  thingTypes.map((type) => ({
    type,
    ids: [...new Set(things.flatMap((thing) => (thing.type === type ? [thing.id] : [])))],
  }))

import { Refusal } from '../refusal.ts'
import type { InventoryChange } from '../storage/history/inventory-rows.ts'
import {
  nowhere,
  type PlacedThing,
  type PlacedThings,
  placeTypes,
  type Stay,
  type StayKind,
} from '../storage/history/stay-rows.ts'
import type { RecordToStore, StoredRecord } from '../storage/records/stored.ts'
import { byType } from './each-type.ts'
import { adjustmentsOf, isDone, membershipOf, momentOf, movementOf, thingsIn, thingsOf } from './log-parts.ts'

/** What a record changes in the histories of assets. */
export interface Implications {
  readonly stays: readonly Stay[]
  readonly inventoryChanges: readonly InventoryChange[]
}

/** More rows than this take so long that everybody would wait. */
export const mostStays = 5_000

const nothing: Implications = { stays: [], inventoryChanges: [] }

/** What follows from a record, or from there being none: only logs change histories. */
export const implicationsOf = (record: StoredRecord | undefined): Implications =>
  record?.type === 'log' ? impliedBy(record) : nothing

/** Only what is done counts; whether its time has come is asked when it is read. */
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

/** Where a log puts things. */
interface Destinations {
  readonly kind: StayKind
  readonly places: readonly PlacedThing[]
}

/** Each once; and where none is an area, or none at all a group, nowhere: so that what was before ends. */
function placesKept({ kind, places }: Destinations): readonly PlacedThing[] {
  const type = placeTypes[kind]
  const once = byType(places).flatMap(({ type, ids }) => ids.map((id) => ({ type, id })))
  return once.some((place) => place.type === type) ? once : [{ type, id: nowhere }, ...once]
}

interface LogChange {
  /** Nothing for a new log. */
  readonly before?: RecordToStore
  readonly after: RecordToStore
}

/** How many rows of stays a change of a log adds. */
export const stayRowsAdded = ({ before, after }: LogChange): number =>
  staysWithout(staysOf(after), staysOf(before)).reduce(
    (sum, { things, places }) => sum + things.ids.length * places.length,
    0,
  )

/** The number of the log does not matter here, and a new one has none yet. */
const staysOf = (record: RecordToStore | undefined): readonly Stay[] =>
  record === undefined ? [] : implicationsOf({ ...record, id: 0 }).stays

/** What of these stays the others do not say already. */
export function staysWithout(stays: readonly Stay[], others: readonly Stay[]): readonly Stay[] {
  return stays.flatMap((stay) => {
    const same = others.find((other) => spelled(other) === spelled(stay))
    const ids = stay.things.ids.filter((id) => !same?.things.ids.includes(id))
    return ids.length === 0 ? [] : [{ ...stay, things: { ...stay.things, ids } }]
  })
}

const spelled = ({ kind, things, timestamp, log, places }: Stay): string =>
  [kind, things.type, timestamp, log, ...places.map(({ type, id }) => `${type} ${id}`)].join()

/** Also of a log that is not done yet: its time would never come. */
function refuseOwnPlace(things: readonly PlacedThings[], { kind, places }: Destinations): void {
  const own = places.find(({ type, id }) => things.some((some) => some.type === type && some.ids.includes(id)))
  if (own !== undefined) throw insideItself(kind, own, own)
}

/** A thing that a place would put into itself. */
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

/** Every thing stays in every place, so one small log could otherwise ask for a million rows. */
function refuseCrowd(things: readonly PlacedThings[], { kind, places }: Destinations): void {
  const count = things.reduce((sum, { ids }) => sum + ids.length, 0)
  const [place] = places
  if (place === undefined || count * places.length <= mostStays) return
  const message = `${count} assets in ${places.length} places each are too many for one log: at most ${mostStays} together`
  throw refused(fieldOf(kind, place), message)
}

const refused = (field: string, message: string): Refusal =>
  new Refusal('invalid-content', `${field}: ${message}.`, { faults: [{ field, message }] })

import { Refusal } from '../refusal.ts'
import type { InventoryChange } from '../storage/history/inventory-rows.ts'
import { nowhere, type Stay } from '../storage/history/stay-rows.ts'
import type { Stored, Unstored } from '../storage/records/stored.ts'
import { adjustmentsOf, assetsOf, groupsOf, isDone, momentOf, movementOf } from './log-parts.ts'

/** What a record changes in the histories of assets. */
export interface Implications {
  readonly stays: readonly Stay[]
  readonly inventoryChanges: readonly InventoryChange[]
}

/** More rows than this take so long that everybody would wait. */
export const mostStays = 5_000

const nothing: Implications = { stays: [], inventoryChanges: [] }

/** What follows from a record, or from there being none: only logs change histories. */
export const implicationsOf = (record: Stored | undefined): Implications =>
  record?.type === 'log' ? impliedBy(record) : nothing

/** Only what is done counts; whether its time has come is asked when it is read. */
function impliedBy(log: Stored): Implications {
  const assets = assetsOf(log.values)
  const movement = movementOf(log.values)
  const groups = groupsOf(log.values)
  refuseCrowd(assets, { field: 'movement.area', places: movement?.areas ?? [] })
  refuseCrowd(assets, { field: 'membership.group', places: groups })
  refuseOwnMembers(assets, groups)
  if (!isDone(log.values)) return nothing
  const timestamp = momentOf(log.values)
  const stays = (kind: Stay['kind'], places: readonly number[]): readonly Stay[] =>
    assets.length === 0 ? [] : [{ kind, assets, timestamp, log: log.id, places: [...new Set(places)] }]
  return {
    stays: [
      ...(movement === undefined ? [] : stays('movement', movement.areas.length > 0 ? movement.areas : [nowhere])),
      ...(groups.length === 0 ? [] : stays('membership', groups)),
    ],
    inventoryChanges: adjustmentsOf(log.values).map((adjustment, position) => ({
      ...adjustment,
      timestamp,
      log: log.id,
      position,
    })),
  }
}

interface LogChange {
  /** Nothing for a new log. */
  readonly before?: Unstored
  readonly after: Unstored
}

/** How many rows of stays a change of a log adds. */
export const stayRowsAdded = ({ before, after }: LogChange): number =>
  staysWithout(staysOf(after), staysOf(before)).reduce(
    (sum, { assets, places }) => sum + assets.length * places.length,
    0,
  )

/** The number of the log does not matter here, and a new one has none yet. */
const staysOf = (record: Unstored | undefined): readonly Stay[] =>
  record === undefined ? [] : implicationsOf({ ...record, id: 0 }).stays

/** What of these stays the others do not say already. */
export function staysWithout(stays: readonly Stay[], others: readonly Stay[]): readonly Stay[] {
  return stays.flatMap((stay) => {
    const same = others.find((other) => spelled(other) === spelled(stay))
    const assets = stay.assets.filter((asset) => !same?.assets.includes(asset))
    return assets.length === 0 ? [] : [{ ...stay, assets }]
  })
}

const spelled = ({ kind, timestamp, log, places }: Stay): string => [kind, timestamp, log, ...places].join()

/** Also of a log that is not done yet: its time would never come. */
function refuseOwnMembers(assets: readonly number[], groups: readonly number[]): void {
  const own = groups.find((group) => assets.includes(group))
  if (own !== undefined) throw ownMember(own)
}

export function ownMember(group: number): Refusal {
  const fault = { field: 'membership.group', message: `would make the group ${group} a member of itself` }
  return new Refusal('invalid-content', `${fault.field}: ${fault.message}.`, { faults: [fault] })
}

interface Destinations {
  readonly field: string
  readonly places: readonly number[]
}

/** Every asset stays in every place, so one small log could otherwise ask for a million rows. */
function refuseCrowd(assets: readonly number[], { field, places }: Destinations): void {
  if (assets.length * places.length <= mostStays) return
  const message = `${assets.length} assets in ${places.length} places each are too many for one log: at most ${mostStays} together`
  throw new Refusal('invalid-content', `${field}: ${message}.`, { faults: [{ field, message }] })
}

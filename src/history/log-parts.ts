import type { logProperties } from '../farm/logs/properties.ts'
import type { standardFields } from '../farm/logs/standard-fields.ts'
import type { PartValue, Values, ValuesOfFields } from '../fields/value.ts'
import type { InventoryChange, InventoryUnit } from '../storage/history/inventory-rows.ts'
import type { PlacedThing, PlacedThings } from '../storage/history/stay-rows.ts'

/** A log as the catalogue has it: of a field that is called otherwise there, nothing here compiles. */
type Log = ValuesOfFields<typeof logProperties & typeof standardFields>

// The values of a log are what the catalogue says: nothing else is ever stored.
const asLog = (values: Values): Log => values as Log

export const isDone = (values: Values): boolean => asLog(values).status === 'done'

export const momentOf = (values: Values): number => Number(asLog(values).timestamp)

export const assetsOf = (values: Values): readonly number[] => [...new Set(asLog(values).asset)]

/** What the log is about: what it moves, if it moves anything, and what joins groups. */
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

/** The parts of a log that say something about its assets, as the rules read them. Without any place or geometry they have left every place. */
export interface Movement extends Places {
  /** Empty where the movement gives none. */
  readonly geometry: string
}

/** What the log says of where its assets go; undefined where it says nothing. */
export function movementOf(values: Values): Movement | undefined {
  const { area: areas = [], place: assets = [], geometry = '', leaves } = asLog(values).movement ?? {}
  const isSaid = areas.length > 0 || assets.length > 0 || geometry !== '' || leaves === true
  return isSaid ? { areas, assets, geometry } : undefined
}

/** Where a log took place that moves nothing, and in what shape. */
export function siteOf(values: Values): Places & { readonly geometries: readonly string[] } {
  const { place = [], geofield = [] } = asLog(values)
  return { areas: areasOfSite(values), assets: place, geometries: geofield }
}

/** The areas among them. */
export function areasOfSite(values: Values): readonly number[] {
  const { area = nowhere, aside } = asLog(values)
  return aside === undefined ? area : area.filter((id) => !aside.includes(id))
}

const nowhere: readonly number[] = []

/** The groups that the log's assets belong to from its time on, and no others; undefined where it says nothing of groups. */
export function membershipOf(values: Values): readonly number[] | undefined {
  const { group = [], leaves } = asLog(values).membership ?? {}
  return group.length > 0 || leaves === true ? group : undefined
}

/** What was measured, counted or weighed: each is known by a UUID of its own. */
export const quantitiesOf = (values: Values): readonly PartValue[] =>
  (asLog(values).quantity as readonly PartValue[] | undefined) ?? none

const none: readonly PartValue[] = []

export type Adjustment = Pick<InventoryChange, 'thing' | 'value' | 'does'> & InventoryUnit

/** What adjustments count that name no measure and no unit: all those of the record interface do. */
export const plainCount: InventoryUnit = { measure: 'count', unit: 0 }

/** Everything that the log says of how much there is, in its order. */
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

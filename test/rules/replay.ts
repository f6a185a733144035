/** What a log says, as the replay knows it. */
export interface LogSaid {
  readonly id: number
  readonly done: boolean
  readonly timestamp: number
  readonly asset: readonly number[]
  readonly movement: { readonly area: readonly number[]; readonly geometry: string }
  readonly membership: readonly number[]
  readonly inventory: readonly { readonly asset: number; readonly value: string }[]
}

export interface FarmSaid {
  readonly logs: readonly LogSaid[]
  /** Those that lie in the trash. */
  readonly removed: readonly LogSaid[]
  /** The geometries of each area. */
  readonly areas: ReadonlyMap<number, readonly string[]>
  readonly groups: readonly number[]
  /** Every asset, groups too, with the time it was archived or 0. */
  readonly assets: ReadonlyMap<number, number>
}

export interface AssetImplied {
  readonly location: readonly number[]
  readonly geometry: string
  readonly group: readonly number[]
  readonly inventory: string
}

export interface Implied {
  readonly assets: ReadonlyMap<number, AssetImplied>
  readonly contents: ReadonlyMap<number, readonly number[]>
  readonly members: ReadonlyMap<number, readonly number[]>
}

/** The second that is asked for, and whether an asset that was archived then (0: never) is still there. */
export interface Asked {
  readonly second: number
  isThere(archived: number): boolean
}

export const present = (now: number): Asked => ({ second: now, isThere: (archived) => archived === 0 })

export const past = (second: number): Asked => ({
  second,
  isThere: (archived) => archived === 0 || archived > second,
})

/** Reads every log from the first to the last and works everything out from nothing: slow, and easy to believe. */
export function replay({ logs, areas, groups, assets }: FarmSaid, { second, isThere }: Asked): Implied {
  const past = logs
    .filter((log) => log.done && log.timestamp <= second)
    .toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  const implied = new Map<number, AssetImplied>()
  for (const id of assets.keys()) {
    let seen: AssetImplied = { location: [], geometry: '', group: [], inventory: '0' }
    for (const log of past) {
      if (log.asset.includes(id)) seen = { ...seen, ...moved(log, areas), ...joined(log) }
      for (const { asset, value } of log.inventory) {
        if (asset === id) seen = { ...seen, inventory: plus(seen.inventory, value) }
      }
    }
    implied.set(id, seen)
  }
  const presentWith = (has: (seen: AssetImplied) => boolean) =>
    [...implied].filter(([id, seen]) => isThere(assets.get(id) ?? 0) && has(seen)).map(([id]) => id)
  return {
    assets: implied,
    contents: new Map([...areas.keys()].map((area) => [area, presentWith((seen) => seen.location.includes(area))])),
    members: new Map(groups.map((group) => [group, presentWith((seen) => seen.group.includes(group))])),
  }
}

export type TopicSaid = 'movement' | 'membership' | 'inventory'

export interface DecidedSaid {
  /** The logs that decide, the latest first. */
  readonly by: readonly number[]
  /** Why each of the others that name the asset does not, by their numbers. */
  readonly others: ReadonlyMap<number, string>
}

/** Which logs decide something of an asset, and why all others that name it do not. */
export function decidedSaid({ logs, removed }: FarmSaid, topic: TopicSaid, { asset, second }: AssetAt): DecidedSaid {
  const speaks = (log: LogSaid) =>
    topic === 'inventory'
      ? log.inventory.some((change) => change.asset === asset)
      : log.asset.includes(asset) && placesSaid(log, topic).length > 0
  const naming = logs.filter((log) => log.asset.includes(asset) || (topic === 'inventory' && speaks(log)))
  const counting = naming
    .filter((log) => speaks(log) && log.done && log.timestamp <= second)
    .toSorted((a, b) => b.timestamp - a.timestamp || b.id - a.id)
  const deciding = topic === 'inventory' ? counting : counting.slice(0, 1)
  const whyNot = (log: LogSaid) => {
    if (!speaks(log)) return 'says-nothing'
    if (!log.done) return 'not-done'
    if (log.timestamp > second) return 'not-yet'
    return log.timestamp === deciding[0]?.timestamp ? 'same-second' : 'earlier'
  }
  const others = naming.filter((log) => !deciding.includes(log))
  return {
    by: deciding.map(({ id }) => id),
    others: new Map([
      ...others.map((log) => [log.id, whyNot(log)] as const),
      ...removed.filter(speaks).map(({ id }) => [id, 'removed'] as const),
    ]),
  }
}

interface AssetAt {
  readonly asset: number
  readonly second: number
}

/** One row of what `/stays` tells. */
export interface StaySaid {
  readonly asset: number
  readonly place: number | null
  readonly log: number
  readonly from: number
  readonly until: number | null
}

/** Every stay that has begun by now, asset by asset. */
export function staysSaid({ logs, assets }: FarmSaid, kind: 'movement' | 'membership', now: number): StaySaid[] {
  return [...assets].flatMap(([asset, archived]) => {
    const saying = logs
      .filter(
        (log) => log.done && log.timestamp <= now && log.asset.includes(asset) && placesSaid(log, kind).length > 0,
      )
      .toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    return saying.flatMap((log, index) => {
      const end = Math.min(saying[index + 1]?.timestamp ?? Infinity, archived === 0 ? Infinity : archived)
      if (end <= log.timestamp) return []
      const until = end > now ? null : end
      return placesSaid(log, kind).map((place) => ({ asset, place, log: log.id, from: log.timestamp, until }))
    })
  })
}

function placesSaid({ movement, membership }: LogSaid, kind: 'movement' | 'membership'): (number | null)[] {
  if (kind === 'membership') return membership.toSorted((a, b) => a - b)
  if (movement.area.length > 0) return movement.area.toSorted((a, b) => a - b)
  return movement.geometry === '' ? [] : [null]
}

function moved({ movement }: LogSaid, areas: FarmSaid['areas']): Partial<AssetImplied> {
  if (movement.area.length === 0 && movement.geometry === '') return {}
  const shapes = movement.area.flatMap((area) => areas.get(area) ?? [])
  return { location: movement.area, geometry: movement.geometry || together(shapes) }
}

const joined = ({ membership }: LogSaid): Partial<AssetImplied> =>
  membership.length === 0 ? {} : { group: membership }

/** Simple geometries, spelled `KIND (…)`, as one. */
export function together(shapes: readonly string[]): string {
  if (shapes.length < 2) return shapes[0] ?? ''
  const kinds = new Set(shapes.map((shape) => shape.slice(0, shape.indexOf(' '))))
  if (kinds.size > 1) return `GEOMETRYCOLLECTION (${shapes.join(', ')})`
  return `MULTI${[...kinds][0]} (${shapes.map((shape) => shape.slice(shape.indexOf('('))).join(', ')})`
}

/** An exact sum, with as many decimals as the longer of the two. */
function plus(a: string, b: string): string {
  const decimals = Math.max(decimalsOf(a), decimalsOf(b))
  const sum = BigInt(shifted(a, decimals)) + BigInt(shifted(b, decimals))
  const digits = `${sum}`.replace('-', '').padStart(decimals + 1, '0')
  const written =
    decimals === 0 ? digits : `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`
  return sum < 0n ? `-${written}` : written
}

const decimalsOf = (number: string): number => (number.split('.')[1] ?? '').length

function shifted(number: string, decimals: number): string {
  const [whole = '', fraction = ''] = number.split('.')
  return `${whole}${fraction.padEnd(decimals, '0')}`
}

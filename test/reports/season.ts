import type { Client, Json } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'

/** The demo of these tests: a farm in Berlin, told by days and hours of its clocks. */
export class Season {
  readonly client: Client
  #made = 0

  constructor(client: Client) {
    this.client = client
  }

  area(name: string, geometry?: string): Promise<string> {
    const shape = geometry === undefined ? {} : { geofield: [{ geom: geometry }] }
    return this.client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'bed', ...shape })
  }

  planting(name: string, ...crops: readonly string[]): Promise<string> {
    return this.client.create('farm_asset', { name, type: 'planting', crop: crops.map((crop) => ({ name: crop })) })
  }

  harvest(timestamp: number, fields: object): Promise<string> {
    const log = { name: `Harvest ${this.#made++}`, type: 'farm_harvest', timestamp, done: 1, lot_number: 'A' }
    return this.client.create('log', { ...log, ...fields })
  }

  move(timestamp: number, asset: string, area: string): Promise<string> {
    const movement = { area: [{ id: area }] }
    return this.client.create('log', {
      name: 'Move',
      type: 'farm_activity',
      timestamp,
      done: 1,
      asset: [{ id: asset }],
      movement,
    })
  }
}

export const of = (...ids: readonly string[]) => ids.map((id) => ({ id }))

export const weight = (value: string, unit: string, label = '') => ({
  measure: 'weight',
  value,
  unit: { name: unit },
  label,
})

/** The ids of the logs that a figure lists, over all of its pages. */
export async function logsOf(farm: FarmUnderTest, client: Client, { list }: Json): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = 0; ; page += 1) {
    const { list: logs, last } = await client.read(`${list.slice(farm.base.length)}&limit=100&page=${page}`)
    ids.push(...logs.map(({ id }: Json) => id))
    if (Number(/page=(\d+)/.exec(last)?.[1]) <= page) return ids.toSorted((one, other) => Number(one) - Number(other))
  }
}

/** Every figure of a report, wherever it stands. */
export function figuresIn(told: Json): readonly Json[] {
  if (Array.isArray(told)) return told.flatMap(figuresIn)
  if (typeof told !== 'object' || told === null) return []
  return [...('list' in told && 'count' in told ? [told] : []), ...Object.values(told).flatMap(figuresIn)]
}

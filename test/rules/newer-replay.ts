/** What a log says, as the replay of the newer generation knows it. Things are called by their type and number: `asset 3`, `term 7`. */
export interface NewerLogSaid {
  readonly id: number
  readonly done: boolean
  readonly timestamp: number
  readonly things: readonly string[]
  readonly movement: { readonly places: readonly string[]; readonly geometry: string } | null
  /** Where it took place that moves nothing. */
  readonly site: { readonly places: readonly string[]; readonly shapes: readonly string[] }
  readonly groups: readonly string[] | null
  readonly adjustments: readonly AdjustmentSaid[]
}

export interface AdjustmentSaid {
  readonly thing: string
  readonly measure: string
  readonly unit: number
  readonly does: 'increment' | 'decrement' | 'reset'
  /** Tenths, so that they can be added up. */
  readonly tenths: number
}

export interface ThingSaid {
  readonly isFixed: boolean
  readonly isPlace: boolean
  readonly shapes: readonly string[]
}

export interface NewerFarmSaid {
  readonly logs: readonly NewerLogSaid[]
  readonly things: ReadonlyMap<string, ThingSaid>
}

/** The latest of the logs that count and say it of the thing, by reading all of them. */
function latest(
  { logs }: NewerFarmSaid,
  second: number,
  says: (log: NewerLogSaid) => boolean,
): NewerLogSaid | undefined {
  return logs
    .filter((log) => log.done && log.timestamp <= second && says(log))
    .toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    .at(-1)
}

export const groupsSaid = (farm: NewerFarmSaid, thing: string, second: number): readonly string[] =>
  latest(farm, second, (log) => log.groups !== null && log.things.includes(thing))?.groups ?? []

/** Where it went last, by itself or with one of the groups that it is in. */
function movementSaid(farm: NewerFarmSaid, thing: string, second: number): NewerLogSaid['movement'] {
  const movers = [thing, ...groupsSaid(farm, thing, second)]
  const log = latest(
    farm,
    second,
    ({ movement, things }) => movement !== null && movers.some((one) => things.includes(one)),
  )
  return log?.movement ?? null
}

export const placesSaid = (farm: NewerFarmSaid, thing: string, second: number): readonly string[] =>
  farm.things.get(thing)?.isFixed ? [] : (movementSaid(farm, thing, second)?.places ?? [])

/** Of each in turn its own shapes, or the places that it is in, which have their turn later. */
export function shapesSaid(farm: NewerFarmSaid, things: readonly string[], second: number): readonly string[] {
  const queue = [...new Set(things)]
  const shapes: string[] = []
  for (const thing of queue) {
    const said = farm.things.get(thing)
    if (said?.isFixed) {
      shapes.push(...said.shapes)
      continue
    }
    const movement = movementSaid(farm, thing, second)
    if (movement === null) continue
    if (movement.geometry === '') queue.push(...movement.places.filter((place) => !queue.includes(place)))
    else shapes.push(movement.geometry)
  }
  return shapes
}

/** Those of a log: its own, else of where it leads or took place, else of what it is about and that is a place. */
export function logShapesSaid(farm: NewerFarmSaid, log: NewerLogSaid, second: number): readonly string[] {
  const { movement, site, things } = log
  const own = movement === null ? site.shapes : [movement.geometry].filter((shape) => shape !== '')
  if (own.length > 0) return own
  const places = movement === null ? site.places : movement.places
  if (places.length > 0 || movement !== null) return shapesSaid(farm, places, second)
  return shapesSaid(
    farm,
    things.filter((thing) => farm.things.get(thing)?.isPlace),
    second,
  )
}

/** Whether the log puts something into itself, at its own time, over whatever. */
export function putsIntoItself(farm: NewerFarmSaid, log: NewerLogSaid): boolean {
  if (log.movement === null) return false
  if (log.movement.places.some((place) => log.things.includes(place))) return true
  if (!log.done) return false
  const after = { ...farm, logs: [...farm.logs.filter(({ id }) => id !== log.id), log] }
  const around = new Set(log.movement.places)
  for (const place of around) for (const above of placesSaid(after, place, log.timestamp)) around.add(above)
  return log.things.some((thing) => around.has(thing))
}

/** `measure unit: level`, for every pair that was ever counted of the thing. */
export function inventorySaid({ logs }: NewerFarmSaid, thing: string, second: number): readonly string[] {
  const levels = new Map<string, number>()
  const past = logs
    .filter((log) => log.done && log.timestamp <= second)
    .toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  for (const { adjustments } of past) {
    for (const { measure, unit, does, tenths, thing: counted } of adjustments) {
      if (counted !== thing) continue
      const pair = `${measure} ${unit}`
      const before = does === 'reset' ? 0 : (levels.get(pair) ?? 0)
      levels.set(pair, does === 'decrement' ? before - tenths : before + tenths)
    }
  }
  return [...levels].map(([pair, tenths]) => `${pair}: ${tenths / 10}`).toSorted()
}

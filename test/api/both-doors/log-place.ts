import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Fact, Saying } from './fact.ts'
import { anyPoint, shownShape, some, together } from './kinds.ts'
import { newerSent, newerShown, olderSent, olderShown, type Thing } from './thing.ts'
import type { World } from './world.ts'

/** Somewhere: areas, assets, and shapes on the map. */
interface Place {
  readonly areas: readonly Thing[]
  readonly assets: readonly Thing[]
  readonly shapes: readonly string[]
}

/**
 * What a log is about, where it moves that to, and where it took place without moving anything. The record interface lists all areas of a log in
 * one place: those it took place in, and those it is about.
 */
interface State {
  readonly about: { readonly assets: readonly Thing[]; readonly areas: readonly Thing[] }
  /** Nowhere at all: what it is about has left. */
  readonly movement: Place | null
  readonly site: { readonly assets: readonly Thing[]; readonly shapes: readonly string[] }
  /** All areas, in the order of the record interface. */
  readonly areas: readonly Thing[]
  /** Those of them that it did not take place in. */
  readonly aside: readonly Thing[]
}

const nowhere: Place = { areas: [], assets: [], shapes: [] }

const siteOf = ({ areas, aside, site }: State): Place => ({
  ...site,
  areas: areas.filter((area) => !aside.includes(area)),
})

const isNowhere = ({ areas, assets, shapes }: Place) => areas.length + assets.length + shapes.length === 0

const keptIn = ['area', 'asset', 'asset_area', 'aside', 'geofield', 'movement', 'place']

interface Habits {
  /** Logs of plantings are about plantings, and have no areas of their own, in the record interface. */
  readonly ofPlantings: boolean
}

export const logPlace = ({ ofPlantings }: Habits): Fact<State> => ({
  name: 'place',
  keptIn,
  initial: (door) => ({
    about: { assets: [], areas: [] },
    movement: door === 'newer' && ofPlantings ? nowhere : null,
    site: { assets: [], shapes: [] },
    areas: [],
    aside: [],
  }),
  older: {
    ...(ofPlantings ? { required: true } : {}),
    say: (saying) => sayOlder(saying, ofPlantings),
    show: (state, { base }) => {
      const { about, movement, site, areas } = state
      const refer = olderShown(base)
      return {
        asset: about.assets.map(refer),
        movement: { area: (movement?.areas ?? []).map(refer), geometry: together(movement?.shapes ?? []) },
        ...(ofPlantings ? {} : { area: areas.map(refer), geofield: site.shapes.map((geom) => ({ geom })) }),
      }
    },
  },
  newer: {
    say: sayNewer,
    show: (state, { world }) => showNewer(state, world),
  },
})

function sayOlder({ draw, world, before, isNew }: Saying<State>, ofPlantings: boolean) {
  const sent: Record<string, unknown> = {}
  let after = before
  if ((isNew && ofPlantings) || draw(fc.boolean)) {
    const all = ofPlantings ? world.assets('planting') : world.movers
    const drawn = some(draw, all)
    const assets = ofPlantings && drawn.length === 0 ? all.slice(0, 1) : drawn
    sent.asset = assets.map(olderSent)
    after = { ...after, about: { ...after.about, assets } }
  }
  if (draw(fc.boolean)) {
    const areas = some(draw, world.areas)
    const shapes = draw(fc.integer, { min: 0, max: 2 }) === 0 ? [anyPoint(draw)] : []
    sent.movement = { area: areas.map(olderSent), geometry: shapes[0] ?? null }
    after = { ...after, movement: movementByOlder(before.movement, { areas, shapes }) }
  }
  if (ofPlantings) return { sent, after }
  if (draw(fc.boolean)) {
    const areas = some(draw, [...world.areas, ...world.plots], 3)
    sent.area = areas.map(olderSent)
    const still = (things: readonly Thing[]) => things.filter((thing) => areas.includes(thing))
    after = {
      ...after,
      areas,
      aside: still(after.aside),
      about: { ...after.about, areas: still(after.about.areas) },
    }
  }
  if (draw(fc.boolean)) {
    const shapes = Array.from({ length: draw(fc.integer, { min: 0, max: 2 }) }, () => anyPoint(draw))
    sent.geofield = shapes.map((geom) => ({ geom }))
    after = { ...after, site: { ...after.site, shapes } }
  }
  return { sent, after }
}

/** Places that are assets stay, as the record interface knows nothing of them; so does having left, where it says nothing new. */
function movementByOlder(before: Place | null, said: Pick<Place, 'areas' | 'shapes'>): Place | null {
  const movement = { ...said, assets: before?.assets ?? [] }
  if (!isNowhere(movement)) return movement
  return before !== null && isNowhere(before) ? before : null
}

function sayNewer({ draw, world, before, isNew }: Saying<State>) {
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  const movedBefore = before.movement !== null
  const moves = draw(fc.boolean) ? draw(fc.boolean) : movedBefore
  if (moves !== movedBefore || draw(fc.boolean)) attributes.is_movement = moves
  const standing = before.movement ?? siteOf(before)
  let { areas, assets, shapes } = standing
  const isPlot = (area: Thing) => world.plots.includes(area)
  // Nothing is moved to what other logs may be about.
  if (draw(fc.boolean) || (moves && areas.some(isPlot))) {
    areas = some(draw, moves ? world.areas : [...world.areas, ...world.plots])
    assets = some(draw, world.places)
    relationships.location = [...areas, ...assets].map(newerSent)
  }
  if (draw(fc.integer, { min: 0, max: 2 }) === 0) {
    const shape = draw(fc.boolean) ? anyPoint(draw) : null
    attributes.geometry = shape
    shapes = shape === null ? [] : [shape]
  }
  let { about } = before
  if (draw(fc.boolean)) {
    about = { assets: some(draw, world.movers), areas: some(draw, world.plots) }
    relationships.asset = [...about.assets, ...about.areas].map(newerSent)
  }
  const place = { areas, assets, shapes }
  const site = moves ? (movedBefore && !isNew ? siteOf(before) : nowhere) : place
  return {
    sent: { attributes, relationships },
    after: stateWith(before, { about, movement: moves ? asOne(place) : null, site }),
  }
}

/** A movement has one shape. */
const asOne = ({ shapes, ...place }: Place): Place => {
  const shape = together(shapes)
  return { ...place, shapes: shape === null ? [] : [shape] }
}

interface Stated extends Pick<State, 'about' | 'movement'> {
  readonly site: Place
}

function stateWith(before: State, { about, movement, site }: Stated): State {
  const { areas: took, ...rest } = site
  const isAsBefore = isDeepStrictEqual([took, about.areas], [siteOf(before).areas, before.about.areas])
  return {
    about,
    movement,
    site: rest,
    areas: isAsBefore ? before.areas : [...new Set([...took, ...about.areas])],
    aside: isAsBefore ? before.aside : about.areas.filter((area) => !took.includes(area)),
  }
}

function showNewer(state: State, world: World) {
  const { about, movement } = state
  const { areas, assets, shapes } = movement ?? siteOf(state)
  return {
    attributes: {
      is_movement: movement !== null,
      geometry: shownShape(together(shapes) ?? together(drawnBy(world, state))),
    },
    relationships: {
      asset: [...about.assets, ...about.areas].map(newerShown),
      location: [...areas, ...assets].map(newerShown),
    },
  }
}

/** A log that says nothing of its shape has that of its places, or else of what it is about, unless that is moved. */
function drawnBy(world: World, state: State): readonly string[] {
  const { areas, assets } = state.movement ?? siteOf(state)
  const isSomewhere = areas.length + assets.length > 0
  const drawn = isSomewhere ? areas : state.movement === null ? state.about.areas : []
  return drawn.flatMap((area) => world.shapeOf(area) ?? [])
}

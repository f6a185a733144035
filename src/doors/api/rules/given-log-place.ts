import { isDeepStrictEqual } from 'node:util'
import type { Draft, Values } from '../../../fields/value.ts'
import { draftGiven, type FieldDrafts, type Given, idsAmong, references, thingsGiven } from './given.ts'
import { type LogPlace, movementPlace, moves, ownPlace, shapeOfPlace } from './log-place.ts'
import { numbersIn } from './numbers-in.ts'

/**
 * A log keeps two places: the one it moves its assets to, and its own. What is sent changes the one that `is_movement` names
 * afterwards; a log that begins or ends to move takes its place along. The areas that it is about stand among its own areas.
 */
export function logPlaceDrafts(given: Given): FieldDrafts {
  const { before, members } = given
  const movedBefore = moves(before)
  const movesNow = members.has('moves') ? draftGiven(given, 'moves') === true : movedBefore
  const standing = movedBefore ? movementPlace(before) : ownPlace(before)
  const place = placeGiven(given, standing)
  const about = thingsGiven(given, 'log assets')
  const aboutAreas = about === undefined ? numbersIn(before.asset_area) : idsAmong(about, 'term')
  // What stands beside a movement stays; who begins to move takes it along.
  const own = movesNow ? (movedBefore ? ownPlace(before) : nowhere) : place
  return {
    ...(about === undefined ? {} : { asset: references(idsAmong(about, 'asset')) }),
    ...areaDrafts(before, { own, aboutAreas }),
    place: references(own.assets),
    geofield: own.geometries.length === 0 ? undefined : own.geometries,
    movement: movesNow ? movementDraft(place) : undefined,
  }
}

interface Areas {
  readonly own: LogPlace
  readonly aboutAreas: readonly number[]
}

/** The one list that tells all areas stays in its order, unless it is to hold others. */
function areaDrafts(before: Values, { own, aboutAreas }: Areas): FieldDrafts {
  if (isDeepStrictEqual([own.areas, aboutAreas], [ownPlace(before).areas, numbersIn(before.asset_area)])) return {}
  return {
    asset_area: references(aboutAreas),
    area: references([...own.areas, ...aboutAreas]),
    aside: references(aboutAreas.filter((id) => !own.areas.includes(id))),
  }
}

const nowhere: LogPlace = { areas: [], assets: [], geometries: [] }

function placeGiven(given: Given, standing: LogPlace): LogPlace {
  const location = thingsGiven(given, 'log location')
  const geometry = draftGiven(given, 'log geometry')
  return {
    areas: location === undefined ? standing.areas : idsAmong(location, 'term'),
    assets: location === undefined ? standing.assets : idsAmong(location, 'asset'),
    geometries: given.members.has('log geometry')
      ? typeof geometry === 'string'
        ? [geometry]
        : []
      : standing.geometries,
  }
}

function movementDraft({ areas, assets, geometries }: LogPlace): Draft {
  const area = references(areas)
  const place = references(assets)
  const geometry = shapeOfPlace({ geometries })
  const isEmpty = area === undefined && place === undefined && geometry === ''
  return {
    part: {
      ...(area === undefined ? {} : { area }),
      ...(place === undefined ? {} : { place }),
      ...(geometry === '' ? {} : { geometry }),
      ...(isEmpty ? { leaves: true } : {}),
    },
  }
}

import { areas, terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, type KeptRecord } from '../../store/record.ts'

import { areaKinds, kindOf } from './area-kind.ts'
import { type Extent, extentOf, inDegrees, onMap, touches } from './mercator.ts'
import { shapesOf, wktOf } from './shapes.ts'

const mostAreas = 120

/** What lies around a place, the lowest first: what it lies in, and the areas that begin nearby; of many the lowest. */
export function areasAround(area: KeptRecord, extent: Extent): readonly KeptRecord[] {
  const around = new Set([...ancestorsOf(area), area])
  const nearby = inDegrees(wider(extent))
  const near = areas().filter((other) => beginsIn(nearby, other) && !isArchived(other))
  for (const other of lowestFirst(near)) {
    if (around.size >= mostAreas) break
    if (touches(extentOnMap(other) ?? nowhere, extent)) around.add(other)
  }
  return lowestFirst([...around])
}

const nowhere: Extent = [0, 0, -1, -1]

const lowestFirst = (some: readonly KeptRecord[]): readonly KeptRecord[] =>
  areaKinds.flatMap((kind) => some.filter((area) => kindOf(area) === kind))

export function extentOnMap(area: KeptRecord): Extent | undefined {
  const { points, lines, areas: insides } = shapesOf(area)
  return extentOf([...points, ...lines, ...insides.flat()].map(onMap))
}

function ancestorsOf(area: KeptRecord): KeptRecord[] {
  const above: KeptRecord[] = []
  let parent = terms.value.get(idsIn(area.fields.parent)[0] ?? '')
  while (parent !== undefined && parent !== area && !above.includes(parent)) {
    above.push(parent)
    parent = terms.value.get(idsIn(parent.fields.parent)[0] ?? '')
  }
  return above
}

/** Reads one corner of each geometry only: of thousands of areas few are near. */
function beginsIn([west, south, east, north]: Extent, area: KeptRecord): boolean {
  return wktOf(area).some((wkt) => {
    const [, longitude, latitude] = firstCorner.exec(wkt) ?? []
    const [x, y] = [Number(longitude), Number(latitude)]
    return x >= west && x <= east && y >= south && y <= north
  })
}

const firstCorner = /(-?[\d.]+)\s+(-?[\d.]+)/

function wider([west, south, east, north]: Extent): Extent {
  const [width, height] = [east - west, north - south]
  return [west - width, south - height, east + width, north + height]
}

import type { Sketch } from '../map/shape.ts'

/** Several shapes as one: KML does not say whether they are of one kind. */
export function gathered(members: readonly Sketch[]): Sketch | undefined {
  if (members.length === 0) return undefined
  const points = members.flatMap((member) => (member.type === 'Point' ? [member.coordinates] : []))
  if (points.length === members.length) return { type: 'MultiPoint', coordinates: points }
  const lines = members.flatMap((member) => (member.type === 'LineString' ? [member.coordinates] : []))
  if (lines.length === members.length) return { type: 'MultiLineString', coordinates: lines }
  const areas = members.flatMap((member) => (member.type === 'Polygon' ? [member.coordinates] : []))
  if (areas.length === members.length) return { type: 'MultiPolygon', coordinates: areas }
  return { type: 'GeometryCollection', geometries: members }
}

import { Refusal } from '../../refusal.ts'

/** All names of WGS 84 in degrees; GeoJSON has longitude first whatever the order of the system's own axes is. */
const degrees = /^(?:urn:ogc:def:crs:OGC:(?:1\.3|2)?:CRS84h?|OGC:CRS84|(?:urn:ogc:def:crs:)?EPSG::?4326|CRS84)$/i

/** Refuses a map whose positions are not degrees. */
export function requireDegrees(crs: string | null): void {
  if (crs === null || degrees.test(crs)) return
  throw new Refusal(
    'invalid-content',
    `The coordinates are in ${JSON.stringify(crs.slice(0, 100))}: export the layer as WGS 84 (EPSG:4326), which is what GeoJSON means.`,
    { faults: [{ field: 'crs', message: `${crs.slice(0, 100)} is not WGS 84`, allowed: ['EPSG:4326', 'OGC:CRS84'] }] },
  )
}

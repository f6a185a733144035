/** Rows and polygons as spreadsheets and GIS produce them. */

/** Groups that the logs of a sheet refer to. @param {number} count */
export const sheetOfGroups = (count) => `name\n${upTo(count, (nth) => `Herd ${nth}`).join('\n')}\n`

/**
 * Harvests with amounts and movements, of groups, areas and categories that other rows also name.
 * @param {number} count
 */
export function sheetOfHarvests(count) {
  const head = 'name,timestamp,done,asset,movement.area,quantity.value,quantity.unit,log_category,notes'
  const rows = upTo(count, (nth) =>
    [
      `Harvest ${nth},2024-05-0${1 + (nth % 9)}T08:00,yes,Herd ${nth % 300},Bed ${nth % 40}`,
      `${nth}.5,kg,Crop ${nth % 30},"Note, ${nth}"`,
    ].join(','),
  )
  return `${[head, ...rows].join('\n')}\n`
}

/** A new name for each of these. @param {readonly string[]} uuids */
export const sheetOfNames = (uuids) =>
  `uuid,name,done\n${uuids.map((uuid, nth) => `${uuid},Renamed ${nth},no`).join('\n')}\n`

/** Parcels with 21 corners each, in 50 blocks. @param {number} count */
export const mapOfParcels = (count) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: upTo(count, (nth) => ({
      type: 'Feature',
      properties: { name: `Parcel ${nth}`, area_type: 'field', parent: `Block ${nth % 50}` },
      geometry: { type: 'Polygon', coordinates: [cornersOf(nth)] },
    })),
  })

function cornersOf(/** @type {number} */ nth) {
  const [x, y] = [7 + (nth % 200) / 1000, 51 + Math.floor(nth / 200) / 1000]
  const ring = upTo(20, (corner) => [x + Math.cos(corner / 3.2) / 2500, y + Math.sin(corner / 3.2) / 2500])
  return [...ring, ring[0]]
}

/** @template T @param {number} count @param {(nth: number) => T} make */
const upTo = (count, make) => Array.from({ length: count }, (_, nth) => make(nth))

import { Refusal } from '../../refusal.ts'
import type { LeftOut } from '../map/feature.ts'
import { mapLimits } from '../map/map-limits.ts'
import { entriesOfZip, unpacked } from '../zip/read-zip.ts'

/** The KML of a KMZ: doc.kml, else the first one that is there. All other files are left where they are. */
export async function kmlOfKmz(bytes: Buffer, leftOut: LeftOut): Promise<Buffer> {
  const files = entriesOfZip(bytes).filter(({ name }) => !name.endsWith('/'))
  const maps = files.filter(({ name }) => /\.kml$/i.test(name))
  const main = maps.find(({ name }) => name.toLowerCase() === 'doc.kml') ?? maps[0]
  if (main === undefined) throw new Refusal('unreadable-body', 'The KMZ holds no .kml file.')
  if (files.length > 1) leftOut.count('other files of the KMZ', files.length - 1)
  return unpacked(bytes, main, mapLimits.bytes)
}

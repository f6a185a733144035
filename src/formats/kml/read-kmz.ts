import { posix } from 'node:path'
import { Refusal } from '../../refusal.ts'
import type { MapFeature, WantedProperties } from '../map/feature.ts'
import { mapLimits, tooManyFeatures } from '../map/map-limits.ts'
import { entriesOfZip, unpacked } from '../zip/read-zip.ts'
import { placemarksIn } from './read-kml.ts'

/**
 * The placemarks of a KMZ: of doc.kml, else of the first KML file in it, and of the files of the same archive that it links to, as GDAL
 * writes them. Links that lead elsewhere and all other files are left out.
 */
export async function* featuresOfKmz(bytes: Buffer, wanted: WantedProperties): AsyncGenerator<readonly MapFeature[]> {
  const files = new Map(
    entriesOfZip(bytes).flatMap((entry) => (entry.name.endsWith('/') ? [] : [[entry.name, entry] as const])),
  )
  const maps = [...files.keys()].filter((name) => /\.kml$/i.test(name))
  const main = maps.find((name) => name.toLowerCase() === 'doc.kml') ?? maps[0]
  if (main === undefined) throw new Refusal('unreadable-body', 'The KMZ holds no .kml file.')
  const read = new Set([main])
  let [features, room]: [number, number] = [0, mapLimits.bytes]
  // What is linked to while it is gone through comes last.
  for (const name of read) {
    const entry = files.get(name)
    if (entry === undefined) continue
    const kml = await unpacked(bytes, entry, room)
    room -= kml.length
    const placemarks = placemarksIn(kml, wanted)
    let next = placemarks.next()
    for (; !next.done; next = placemarks.next()) {
      features += next.value.length
      if (features > mapLimits.features) throw tooManyFeatures()
      yield next.value
    }
    for (const link of next.value) {
      const target = insideOf(name, link)
      if (files.has(target) && /\.kml$/i.test(target)) read.add(target)
      else wanted.leftOut.count('NetworkLink')
    }
  }
  if (files.size > read.size) wanted.leftOut.count('other files of the KMZ', files.size - read.size)
}

/** The name in the archive that an address in one of its files leads to. */
function insideOf(file: string, link: string): string {
  const path = link.replace(/[?#].*$/s, '')
  return posix.join(posix.dirname(file), decoded(path))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

import { readFileSync, statSync } from 'node:fs'
import type { SentFormat } from '../../doors/record-1x/maps/sent-areas.ts'
import { inMebibytes } from '../../fields/byte-size.ts'
import { mapLimits } from '../../formats/map/map-limits.ts'
import { Refusal } from '../../refusal.ts'
import { unreadableFile } from './unreadable-file.ts'

/** A map in a file, and which format it has by what it begins with. */
export function mapFile(path: string): { readonly bytes: Buffer; readonly format: SentFormat } {
  const bytes = bytesOf(path)
  const beginning = bytes.toString('latin1', 0, 1024)
  if (beginning.startsWith('PK')) return { bytes, format: 'kmz' }
  const [first] = beginning.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (first === '<') return { bytes, format: 'kml' }
  if (first === '{') return { bytes, format: 'geojson' }
  throw new Refusal('unreadable-body', `${path} is no map: it is neither GeoJSON nor KML nor KMZ.`)
}

function bytesOf(path: string): Buffer {
  try {
    if (statSync(path).size > mapLimits.bytes)
      throw new Refusal('too-large', `A map may have ${inMebibytes(mapLimits.bytes)}, ${path} has more: divide it.`)
    return readFileSync(path)
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

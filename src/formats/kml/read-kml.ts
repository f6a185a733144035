import { isUtf8 } from 'node:buffer'
import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { nameOfCharacter, uncarriable } from '../../fields/text.ts'
import { Refusal } from '../../refusal.ts'
import { type InputFeature, mapLimits, tooDeep, tooManyFeatures, type WantedProperties } from '../map/feature.ts'
import { entriesOfZip, unpacked } from '../zip/read-zip.ts'
import { type Element, KmlBuilder } from './kml-builder.ts'

/** Characters per parser call. */
const piece = 65_536

/** The placemarks of KML (OGC 07-147r2), some at a time. Links are never fetched. */
export function* featuresOfKml(bytes: Buffer, wanted: WantedProperties): Generator<readonly InputFeature[]> {
  const links = yield* placemarksIn(bytes, wanted)
  if (links.length > 0) wanted.leftOut.count('NetworkLink', links.length)
}

/** The same, with the targets of its NetworkLinks. Only the five predefined XML entities are known. */
function* placemarksIn(bytes: Buffer, wanted: WantedProperties): Generator<readonly InputFeature[], readonly string[]> {
  if (!isUtf8(bytes)) throw unreadable('is not UTF-8: save it as UTF-8')
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const builder = new KmlBuilder(wanted)
  const parser = parserFor(builder)
  let features = 0
  const taken = (): readonly InputFeature[] => {
    const some = builder.take()
    features += some.length
    if (features > mapLimits.features) throw tooManyFeatures()
    return some
  }
  for (let at = 0; at < text.length; at += piece) {
    parser.write(text.slice(at, at + piece))
    yield taken()
  }
  parser.close()
  if (!builder.isKml) throw unreadable('has no element <kml>')
  yield taken()
  return builder.links
}

function parserFor(builder: KmlBuilder): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  let depth = 0
  let elements = 0
  let attributes = 0
  parser.on('error', (error) => {
    throw unreadable(`is broken at ${error.message}`)
  })
  parser.on('doctype', () => {
    throw unreadable('has a DOCTYPE, which is not accepted')
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (encoding.toLowerCase() !== 'utf-8') throw unreadable(`is in "${encoding.slice(0, 40)}": save it as UTF-8`)
  })
  parser.on('attribute', () => {
    if (++attributes > mapLimits.elements) throw tooMany('attributes')
  })
  parser.on('opentag', (tag) => {
    if (++elements > mapLimits.elements) throw tooMany('elements')
    if (++depth > mapLimits.depth) throw tooDeep()
    builder.enter(elementOf(tag))
  })
  const add = (text: string): void => {
    const found = uncarriable.exec(text)
    if (found) throw unreadable(`holds the character ${nameOfCharacter(found[0])}, which cannot be recorded`)
    builder.add(text)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    depth--
    builder.leave()
  })
  return parser
}

/** Ignores the namespace prefix. */
const elementOf = ({ name, attributes }: { name: string; attributes: Readonly<Record<string, string>> }): Element => ({
  name: name.slice(name.indexOf(':') + 1),
  attributes,
})

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The KML ${what}.`)

const tooMany = (what: string): Refusal =>
  new Refusal('too-large', `KML may have ${mapLimits.elements} ${what}, this has more: divide it.`)

/**
 * The placemarks of a KMZ: of doc.kml, else of its first KML file, and of files in the same archive that it links to,
 * as GDAL writes them. External links and all other files are left out.
 */
export async function* featuresOfKmz(bytes: Buffer, wanted: WantedProperties): AsyncGenerator<readonly InputFeature[]> {
  const files = new Map(
    entriesOfZip(bytes).flatMap((entry) => (entry.name.endsWith('/') ? [] : [[entry.name, entry] as const])),
  )
  const maps = [...files.keys()].filter((name) => /\.kml$/i.test(name))
  const main = maps.find((name) => name.toLowerCase() === 'doc.kml') ?? maps[0]
  if (main === undefined) throw new Refusal('unreadable-body', 'The KMZ holds no .kml file.')
  const read = new Set([main])
  let [features, room]: [number, number] = [0, mapLimits.bytes]
  // Files linked to during the loop are appended to it.
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

/** Resolves a link inside the archive. */
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

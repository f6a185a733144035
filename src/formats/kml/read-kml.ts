import { isUtf8 } from 'node:buffer'
import { SaxesParser } from 'saxes'
import { nameOfCharacter, uncarriable } from '../../fields/characters.ts'
import { Refusal } from '../../refusal.ts'
import type { MapFeature, WantedProperties } from '../map/feature.ts'
import { mapLimits, tooDeep, tooManyFeatures } from '../map/map-limits.ts'
import { type Element, KmlBuilder } from './kml-builder.ts'

/** So much is parsed at a time. */
const piece = 65_536

/** The placemarks of KML (OGC 07-147r2), some at a time. Nothing is ever fetched: what it links to is left out. */
export function* featuresOfKml(bytes: Buffer, wanted: WantedProperties): Generator<readonly MapFeature[]> {
  const links = yield* placemarksIn(bytes, wanted)
  if (links.length > 0) wanted.leftOut.count('NetworkLink', links.length)
}

/** The same, with the addresses that its NetworkLinks lead to. Only the five entities of XML are known. */
export function* placemarksIn(
  bytes: Buffer,
  wanted: WantedProperties,
): Generator<readonly MapFeature[], readonly string[]> {
  if (!isUtf8(bytes)) throw unreadable('is not UTF-8: save it as UTF-8')
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const builder = new KmlBuilder(wanted)
  const parser = parserFor(builder)
  let features = 0
  const taken = (): readonly MapFeature[] => {
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

/** Whatever prefix its namespace has here. */
const elementOf = ({ name, attributes }: { name: string; attributes: Readonly<Record<string, string>> }): Element => ({
  name: name.slice(name.indexOf(':') + 1),
  attributes,
})

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The KML ${what}.`)

const tooMany = (what: string): Refusal =>
  new Refusal('too-large', `KML may have ${mapLimits.elements} ${what}, this has more: divide it.`)

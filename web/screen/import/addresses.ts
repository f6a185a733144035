import { type KeptRecordType, typeOnTheWire } from '../../store/record.ts'

import type { MapFormat } from './recognise.ts'

/** What each row of a sheet is. */
export interface Subject {
  readonly type: KeptRecordType
  readonly bundle: string
}

/** What somebody has said of how a sheet or a map is to be read. */
export interface Wishes {
  /** Headers of a sheet to fields, fields of a map to properties; an empty text leaves out, nothing is as it was found. */
  readonly map: Readonly<Record<string, string | undefined>>
  /** Parameters of the address; an empty one says nothing. */
  readonly said: Readonly<Record<string, string>>
}

export const contentTypes: Readonly<Record<MapFormat | 'sheet', string>> = {
  sheet: 'text/csv',
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
}

export function sheetAddress({ type, bundle }: Subject, { map, said }: Wishes): string {
  return `/${typeOnTheWire[type]}?${query({ type: bundle, ...said, map: JSON.stringify(map).replace(/^\{\}$/, '') })}`
}

export function mapAddress({ map, said }: Wishes): string {
  const pairs = Object.entries(map).flatMap(([field, property]) =>
    property === undefined ? [] : `${field}=${property}`,
  )
  return `/taxonomy_term?${query({ ...said, map: pairs.join() })}`
}

const query = (words: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(words).filter(([, value]) => value !== ''))

export const templateAddress = ({ type, bundle }: Subject): string => `/sheets/${typeOnTheWire[type]}/${bundle}.csv`

/** A file that came from here is called like what is in it. */
export function subjectCalled(file: string, all: readonly Subject[]): Subject | undefined {
  return all
    .filter(({ bundle }) => file.startsWith(bundle))
    .sort((one, other) => other.bundle.length - one.bundle.length)[0]
}

/** The list that shows what came. */
export function recordsAddress({ type, bundle }: Subject): string {
  if (bundle === 'farm_areas') return '/records?of=areas'
  return `/records?of=${type}s&type=${bundle}`
}

/** Properties cannot be told apart in the address if they hold one of these. */
const nameable = /^[^,=]+$/

/** The names of properties that stand at the beginning of a map, as far as they can be seen from outside. */
export function propertiesIn(beginning: string): readonly string[] {
  const objects = [...beginning.matchAll(/"properties"\s*:\s*(\{[^{}]*\})/g)].flatMap(([, object = '']) =>
    keysOf(object),
  )
  const elements = [...beginning.matchAll(/<(?:Simple)?Data\s+name="([^"<]+)"/g)].map(([, name = '']) => name)
  return [...new Set([...objects, ...elements])].filter((name) => nameable.test(name))
}

function keysOf(object: string): readonly string[] {
  try {
    return Object.keys(JSON.parse(object))
  } catch {
    return []
  }
}

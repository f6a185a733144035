import type { Farm } from '../../src/farm/farm.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import { resourceOf } from './interface-types.ts'
import type { SampleFarm } from './sample-farm.ts'
import { png, textFile } from './sample-files.ts'

/** What is sent for a field, and what must be read of it then. */
export interface Filled {
  readonly sent: unknown
  readonly read: unknown
}

interface Installation {
  readonly farm: Farm
  readonly sample: SampleFarm
  /** The bundle of the record that is filled. */
  readonly bundle: string
}

const same = (value: unknown): Filled => ({ sent: value, read: value })

const filling: { readonly [K in FieldKind]: (field: FieldOf<K>, ground: Installation, nth: number) => Filled } = {
  text: (_field, _ground, nth) => same(`Müller & <Söhne> "${nth}" 🌾`),
  'long-text': () => same('{"rows": [1, 2],\n "note": "<b>as it is</b>"}'),
  'rich-text': () => same({ value: 'One <b>line</b> & another\n\n\thttps://farm.example', format: 'farm_format' }),
  timestamp: () => same('1580000000'),
  period: () => ({
    sent: { value: '1577836800', value2: '1609459199' },
    read: { value: '1577836800', value2: '1609459199', duration: 31622399 },
  }),
  'yes-no': (field) => same(field.asDigit ? '1' : true),
  whole: () => same('7'),
  decimal: () => same('-12.50'),
  choice: (field, { farm }, nth) => same(farm.lists[field.list]?.at(nth)?.value),
  reference: (field, ground, nth) => referenceOf(field, ground, nth),
  geometry: (field, _ground, nth) => same(isMany(field) ? { geom: `POINT (7.10 ${nth})` } : `POINT(7.10   ${nth})`),
  attachment: (field, _ground, nth) => same(field.accepts === 'image' ? png(String(nth)) : textFile(`text ${nth}`)),
  part: (field, ground) => filledFields(field.fields, ground),
}

function referenceOf(field: FieldOf<'reference'>, { sample, bundle }: Installation, nth: number): Filled {
  const resource = resourceOf[field.to]
  const reference = (id: string, more = {}) => ({
    sent: { id },
    read: { uri: `${sample.base}/${resource}/${id}`, id, resource, ...more },
  })
  if (field.to === 'user') return reference(sample.user)
  if (field.to === 'term') {
    const vocabulary = field.within === 'own' ? bundle : (field.within?.[0] ?? bundle)
    const term = sample.terms[vocabulary]?.[nth]
    return reference(term?.id ?? '', { name: term?.name })
  }
  const types = Array.isArray(field.within) ? field.within : Object.keys(sample.assets)
  return reference(sample.assets[types[nth] ?? types[0] ?? ''] ?? '')
}

function filledField<K extends FieldKind>(field: FieldOf<K>, ground: Installation): Filled {
  const fill = filling[field.kind as K]
  if (!isMany(field as Field)) return fill(field, ground, 0)
  const both = [fill(field, ground, 0), fill(field, ground, 1)]
  const different = both.filter(
    (one, index) => both.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  )
  const items = field.kind === 'reference' ? different : both
  return { sent: items.map((one) => one.sent), read: items.map((one) => one.read) }
}

/** Every field of these that a client may write, filled. */
export function filledFields(
  fields: Fields,
  ground: Installation,
): { readonly sent: Record<string, unknown>; readonly read: Record<string, unknown> } {
  const writable = Object.entries(fields).filter(([, field]) => !field.readOnly && !field.computed)
  const filled = writable.map(([name, field]) => [name, filledField(field, ground)] as const)
  return {
    sent: Object.fromEntries(filled.map(([name, { sent }]) => [name, sent])),
    read: Object.fromEntries(filled.map(([name, { read }]) => [name, read])),
  }
}

import type { Farm } from '../../src/farm/farm.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import { plainSamples, type SampleValue } from '../harness/kind-samples.ts'
import { resourceOf } from './interface-types.ts'
import type { SampleFarm } from './sample-farm.ts'
import { png, textFile } from './sample-files.ts'

interface Installation {
  readonly farm: Farm
  readonly sample: SampleFarm
  /** The bundle of the record that is filled. */
  readonly bundle: string
}

const same = (value: unknown): SampleValue => ({ sent: value, read: value })

const filling: { readonly [K in FieldKind]: (field: FieldOf<K>, nth: number, ground: Installation) => SampleValue } = {
  ...plainSamples('filled'),
  choice: (field, nth, { farm }) => same(farm.lists[field.list]?.at(nth)?.value),
  reference: (field, nth, ground) => referenceOf(field, ground, nth),
  attachment: (field, nth) => same(field.accepts === 'image' ? png(String(nth)) : textFile(`text ${nth}`)),
  part: (field, _nth, ground) => filledFields(field.fields, ground),
}

function referenceOf(field: FieldOf<'reference'>, { sample, bundle }: Installation, nth: number): SampleValue {
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

function filledField<K extends FieldKind>(field: FieldOf<K>, ground: Installation): SampleValue {
  const fill = filling[field.kind as K]
  if (!isMany(field as Field)) return fill(field, 0, ground)
  const both = [fill(field, 0, ground), fill(field, 1, ground)]
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

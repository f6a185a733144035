import fc from 'fast-check'
import type { Farm } from '../../src/farm/farm.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import { plainSamples } from '../harness/kind-samples.ts'
import type { SampleFarm } from './sample-farm.ts'
import { dataUri, pngBytes } from './sample-files.ts'

interface Installation {
  readonly farm: Farm
  readonly sample: SampleFarm
  readonly bundle: string
}

/** Whatever a client may send for one value of each kind, in any of the spellings that are taken. */
const anything: { readonly [K in FieldKind]: (field: FieldOf<K>, ground: Installation) => fc.Arbitrary<unknown> } = {
  ...plainSamples('sent'),
  choice: (field, { farm }) => fc.constantFrom(...(farm.lists[field.list] ?? []).map((word) => word.value)),
  reference: (field, ground) => fc.constantFrom(...targetsOf(field, ground)).chain(asReference),
  attachment: (field) =>
    fc
      .nat(3)
      .map((nth) =>
        field.accepts === 'image' ? dataUri('image/png', pngBytes(1, 1, `${nth}`)) : dataUri('text/plain', `${nth}`),
      ),
  part: (field, ground) => anyFields(field.fields, ground),
}

const asReference = (id: string) => fc.constantFrom<unknown>({ id }, { id: Number(id) }, id, Number(id))

function targetsOf(field: FieldOf<'reference'>, { sample, bundle }: Installation): readonly string[] {
  if (field.to === 'user') return [sample.user]
  if (field.to === 'term') {
    const vocabulary = field.within === 'own' ? bundle : (field.within?.[0] ?? bundle)
    return (sample.terms[vocabulary] ?? []).map((term) => term.id)
  }
  return Object.entries(sample.assets).flatMap(([type, id]) =>
    Array.isArray(field.within) && !field.within.includes(type) ? [] : [id],
  )
}

const anyValue = <K extends FieldKind>(field: FieldOf<K>, ground: Installation): fc.Arbitrary<unknown> => {
  const one = anything[field.kind as K](field, ground)
  return isMany(field as Field) ? fc.oneof(fc.array(one, { maxLength: 4 }), one) : one
}

const empty = fc.constantFrom<unknown>(null, [], '')

/** Some of these fields, each with any value that may be written; what is required is always there. */
export function anyFields(fields: Fields, ground: Installation): fc.Arbitrary<Record<string, unknown>> {
  const writable = Object.entries(fields).filter(([, field]) => !field.readOnly && !field.computed)
  const required = writable.filter(([, field]) => field.required).map(([name]) => name)
  const values = Object.fromEntries(
    writable.map(([name, field]) => [
      name,
      field.required
        ? requiredValue(field, ground)
        : fc.oneof({ weight: 5, arbitrary: anyValue(field, ground) }, empty),
    ]),
  )
  return fc.record(values, { requiredKeys: required })
}

const requiredValue = (field: Field, ground: Installation): fc.Arbitrary<unknown> => {
  const one = (anything[field.kind] as (field: Field, ground: Installation) => fc.Arbitrary<unknown>)(field, ground)
  return isMany(field) ? fc.array(one, { minLength: 1, maxLength: 3 }) : one
}

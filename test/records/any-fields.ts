import fc from 'fast-check'
import type { Farm } from '../../src/farm/farm.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import type { SampleFarm } from './sample-farm.ts'
import { dataUri, pngBytes } from './sample-files.ts'

interface Installation {
  readonly farm: Farm
  readonly sample: SampleFarm
  readonly bundle: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the service refuses them, so no stored text has them
const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const anyText = (most: number) =>
  fc.string({ unit: 'grapheme', maxLength: most }).map((text) => text.replace(uncarriable, '·'))
const anyName = anyText(40).map((text) => `n${text}`)
const anySecond = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
const asNumberOrDigits = (number: number) => fc.constantFrom<unknown>(number, String(number))

/** Whatever a client may send for one value of each kind, in any of the spellings that are taken. */
const anything: { readonly [K in FieldKind]: (field: FieldOf<K>, ground: Installation) => fc.Arbitrary<unknown> } = {
  text: (field) => (field.maxLength === 255 ? anyName : anyText(30)),
  'long-text': () => anyText(50),
  'rich-text': () =>
    fc.oneof(
      anyText(50),
      anyText(50).map((value) => ({ value, format: 'farm_format' })),
    ),
  timestamp: () => anySecond.chain(asNumberOrDigits),
  period: () =>
    fc.tuple(anySecond, fc.nat(100_000)).map(([start, length]) => ({
      value: String(Math.min(start, 253_402_000_000)),
      value2: Math.min(start, 253_402_000_000) + length,
    })),
  'yes-no': () => fc.constantFrom<unknown>(true, false, 1, 0, '1', '0', 'true', 'false'),
  whole: (field) =>
    fc.integer({ min: Math.max(field.min, -1000), max: Math.min(field.max, 100_000) }).chain(asNumberOrDigits),
  decimal: () => fc.stringMatching(/^-?\d{1,12}(\.\d{1,8})?$/),
  choice: (field, { farm }) => fc.constantFrom(...(farm.lists[field.list] ?? []).map((word) => word.value)),
  reference: (field, ground) => fc.constantFrom(...targetsOf(field, ground)).chain(asReference),
  geometry: () =>
    fc.constantFrom('POINT (1 2)', 'point(-7.50 3e1)', 'POLYGON((0 0,0 1,1 1,0 0))', 'POINT EMPTY', 'POINT Z (1 2 3)'),
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

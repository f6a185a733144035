import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAttribute, spellAttribute } from '../../src/doors/api/values/attributes.ts'
import { readFraction, spellFraction } from '../../src/doors/api/values/fraction.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Field, FieldKind, FieldOf } from '../../src/fields/field.ts'
import { isMany } from '../../src/fields/field.ts'
import { type InputPlace, placeAt } from '../../src/fields/place.ts'
import type { Draft, PartValue, Value } from '../../src/fields/value.ts'
import { strictJson } from '../../src/formats/json/read-json.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import { plainSamples } from '../harness/kind-samples.ts'
import { rounds } from '../harness/rounds.ts'
import { everyKind } from '../modules/every-kind.ts'

const farm: Farm = {
  ...stockFarm,
  lists: {
    ...stockFarm.lists,
    tunes: [
      { value: 'slow air', label: 'Slow air', newer: 'slow_air' },
      { value: 'reel', label: 'Reel' },
      { value: 'jig', label: 'Jig', newer: 'gigue' },
    ],
  },
}

const anyDecimal = fc.stringMatching(/^[+-]?\d{0,12}\.?\d{1,12}$/)

/** Any value that may be kept, by kind. */
const kept: { readonly [K in FieldKind]: (field: FieldOf<K>) => fc.Arbitrary<Value> } = {
  ...plainSamples('kept'),
  choice: ({ list, open }) =>
    fc.constantFrom(...(farm.lists[list] ?? []).map(({ value }) => value), ...(open ? ['my own'] : [])),
  reference: () => fc.integer({ min: 1, max: 9_999 }),
  attachment: () => fc.integer({ min: 1, max: 9_999 }),
  part: ({ fields }) =>
    fc
      .record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, anyValue(field)])), {
        requiredKeys: ['a_text'],
        noNullPrototype: true,
      })
      .map((values): PartValue => ({ uuid: '0192f0c4-6a3e-7d21-9b1f-5a2c3d4e5f60', ...values })),
}

function anyValue(field: Field): fc.Arbitrary<Value> {
  const one = (kept[field.kind] as (field: Field) => fc.Arbitrary<Value>)(field)
  if (!isMany(field)) return one
  // Several geometries are shown as one: only a list of one can be told from it.
  return fc.array(one, { minLength: 1, maxLength: field.kind === 'geometry' ? 1 : 3 })
}

/** The draft that asks for what is kept; a no is said where nothing is. */
function draftFor(field: Field, value: Value | undefined): Draft | undefined {
  if (value === undefined) return field.kind === 'yes-no' ? false : undefined
  if (isMany(field)) return (value as readonly Value[]).map((one) => draftOfOne(field, one))
  return draftOfOne(field, value)
}

function draftOfOne(field: Field, value: Value): Draft {
  if (field.kind === 'reference') return { ref: 'id', id: Number(value) }
  if (field.kind === 'attachment') return { file: 'kept', id: Number(value) }
  if (field.kind !== 'part') return value as Draft
  const drafts = Object.entries(field.fields).flatMap(([name, own]) => {
    const draft = draftFor(own, (value as PartValue)[name])
    return draft === undefined ? [] : [[name, draft] as const]
  })
  return { part: Object.fromEntries(drafts) }
}

/** What is read of it once it came as JSON; nothing may be wrong with it. */
function readBack(spelled: unknown, read: (input: unknown, place: InputPlace) => Draft | undefined): Draft | undefined {
  const faults: RefusalFault[] = []
  const { it } = strictJson(Buffer.from(JSON.stringify({ it: spelled }))) as { it: unknown }
  const draft = read(it, placeAt('it', { faults, words: () => [] }))
  expect(faults).toEqual([])
  return draft
}

test.each(Object.entries(everyKind))('what is shown of %s, sent back, asks for the same', (_, field) => {
  fc.assert(
    fc.property(fc.option(anyValue(field), { nil: undefined }), (value) => {
      const spelled = spellAttribute(field, value, farm)
      const draft = readBack(spelled, (input, place) => readAttribute(field, input, { farm, place }))
      expect(draft).toStrictEqual(draftFor(field, value))
    }),
    { numRuns: rounds({ short: 30, long: 2_000 }) },
  )
})

const anyFraction = fc.oneof(
  anyDecimal.map((decimal): unknown => ({ decimal })),
  fc.record({ numerator: fc.maxSafeInteger(), denominator: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.record({ numerator: fc.integer({ min: -99, max: 99 }), denominator: fc.integer({ min: 1, max: 30 }) }),
)

test('what is shown of a fraction, sent back, asks for the same', () => {
  fc.assert(
    fc.property(anyFraction, (sent) => {
      const first = readBack(sent, readFraction)
      const { value, fraction } = (first as { part: { value: string; fraction?: string } }).part
      expect(readBack(spellFraction(value, fraction), readFraction)).toStrictEqual(first)
    }),
    { numRuns: rounds({ short: 200, long: 10_000 }) },
  )
})

test('a fraction without its decimal asks for the same, too', () => {
  fc.assert(
    fc.property(anyFraction, (sent) => {
      const first = readBack(sent, readFraction)
      const { value, fraction } = (first as { part: { value: string; fraction?: string } }).part
      const { numerator, denominator } = spellFraction(value, fraction) ?? {}
      if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator)) return
      const again = readBack({ numerator, denominator }, readFraction) as typeof first & { part: { value: string } }
      expect(spellFraction(again.part.value, fraction)).toMatchObject({ numerator, denominator })
    }),
    { numRuns: rounds({ short: 200, long: 10_000 }) },
  )
})

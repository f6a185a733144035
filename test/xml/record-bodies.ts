import fc from 'fast-check'
import type { Farm, RecordType } from '../../src/farm/farm.ts'
import { olderWords } from '../../src/farm/fields-of.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import { anyLine, plainSamples } from '../harness/kind-samples.ts'
import { interfaceFields, olderName, resourceOf } from '../records/interface-types.ts'

export type Body = Record<string, unknown>

/** What there is on the farm for new records to refer to. */
export interface Ground {
  readonly farm: Farm
  /** Ids by record type and bundle: `asset planting`. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  readonly vocabularies: ReadonlyMap<string, string>
  readonly users: readonly string[]
  /** Addresses. */
  readonly files: readonly string[]
}

type Values = { readonly [K in FieldKind]: (field: FieldOf<K>, ground: Ground) => fc.Arbitrary<unknown> }

export const anyName = anyLine.filter((text) => text.trim() !== '')

const bytes = fc.uint8Array({ maxLength: 1500 }).map((content) => Buffer.from(content).toString('base64'))

/** A valid value of each kind, in any form that a writer may use. */
const values: Values = {
  ...plainSamples('inXml'),
  choice: (field, { farm }) => {
    const word = fc.constantFrom(...olderWords(farm, field.list))
    return field.open
      ? fc.oneof(
          word,
          anyName.filter((text) => text.length <= 64),
        )
      : word
  },
  reference: (field, ground) => references(field, ground),
  attachment: (field, { files }) => {
    const mime = field.accepts === 'image' ? 'image/png' : 'text/plain;charset=utf-8'
    const kept = fc.constantFrom(...files).chain((address) => {
      const id = /\/file\/(\d+)\//.exec(address)?.[1]
      return fc.constantFrom<unknown>(address, { id }, { fid: Number(id) }, { file: { id } })
    })
    return fc.oneof(
      bytes.map((content) => `data:${mime};base64,${content}`),
      kept,
    )
  },
  part: (field, ground) => someOf(field.fields, ground, 1),
}

export function valueFor(field: Field, ground: Ground): fc.Arbitrary<unknown> {
  const one = oneOf(field, ground)
  return isMany(field) ? fc.oneof(fc.array(one, { minLength: 1, maxLength: 3 }), one) : one
}

const oneOf = <K extends FieldKind>(field: FieldOf<K>, ground: Ground): fc.Arbitrary<unknown> =>
  values[field.kind as K](field, ground)

const termNames = ['Kale', 'Grünkohl', 'a < b & "c"', "d'Anjou", ' padded ', '2020', 'two  spaces', 'R&D 🌾']

function references({ to, within }: FieldOf<'reference'>, ground: Ground): fc.Arbitrary<unknown> {
  const all = [...ground.ids.keys()].map((key) => key.split(' ')[1] ?? '')
  // No groups where any asset will do: one that the same log, or another before it, puts into itself is refused.
  const bundles = Array.isArray(within) ? within : all.filter((bundle) => bundle !== 'group')
  const ids = to === 'user' ? ground.users : bundles.flatMap((bundle) => ground.ids.get(`${to} ${bundle}`) ?? [])
  const resource = resourceOf[to]
  const byId = fc
    .constantFrom(...ids)
    .chain((id) =>
      fc.constantFrom<unknown>(
        id,
        Number(id),
        { id },
        { id: Number(id) },
        { id, resource },
        { id, resource, uri: 'x' },
      ),
    )
  if (to !== 'term') return byId
  const byName = fc.constantFrom(...termNames).chain((name) => fc.constantFrom<unknown>({ name }, { id: null, name }))
  return fc.oneof(byId, byName)
}

/** An empty template, where there is nothing to say. */
const nothing = (field: Field): fc.Arbitrary<unknown> =>
  field.kind === 'reference' ? fc.constantFrom<unknown>(null, { id: null }) : fc.constant(null)

/** The fields of a bundle that a writer sets, without those that say what and which record it is. */
export function writtenFields(type: RecordType, bundle: string): Fields {
  const fields = interfaceFields(type, bundle)
  const said = [type.bundleName, type.idName, 'name']
  const written = Object.entries(fields).filter(
    ([name, { readOnly, computed }]) => !said.includes(name) && !readOnly && computed === undefined,
  )
  return Object.fromEntries(written.map(([name, field]) => [name, within(bundle, field)]))
}

const within = (bundle: string, field: Field): Field =>
  field.kind === 'reference' && field.within === 'own' ? { ...field, within: [bundle] } : field

/** Each field with this weight, required ones always. */
export function someOf(fields: Fields, ground: Ground, weight: number): fc.Arbitrary<Body> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const given = valueFor(field, ground).map((value) => [name, value] as const)
    if (field.required) return given
    return fc.oneof(
      { weight: Math.round(weight * 100), arbitrary: given },
      { weight: Math.round((1 - weight) * 80), arbitrary: fc.constant(null) },
      { weight: Math.round((1 - weight) * 20), arbitrary: nothing(field).map((value) => [name, value] as const) },
    )
  })
  return fc.tuple(...entries).map((chosen) => Object.fromEntries(chosen.filter((entry) => entry !== null)))
}

export interface Kin {
  readonly type: RecordType
  readonly bundle: string
}

/** A whole new record of that bundle. */
export function newBody({ type, bundle }: Kin, ground: Ground, weight: number): fc.Arbitrary<Body> {
  const vid = ground.vocabularies.get(bundle)
  const kind =
    type.bundleName === 'type'
      ? fc.constant<unknown>(bundle)
      : fc.constantFrom<unknown>(vid, Number(vid), { id: vid }, { id: vid, resource: 'taxonomy_vocabulary' }, bundle)
  return fc
    .tuple(kind, anyName, someOf(writtenFields(type, bundle), ground, weight))
    .map(([given, name, rest]) => ({ name, [type.bundleName]: given, ...rest }))
}

/** The same under the names that clients of the older internal interface use, for the fields that have one. */
export function underOldNames({ type, bundle }: Kin, body: Body): Body {
  const own = type.bundles[bundle]?.fields ?? {}
  const sent = (name: string) => (Object.hasOwn(own, name) ? olderName(name) : name)
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [sent(name), value]))
}

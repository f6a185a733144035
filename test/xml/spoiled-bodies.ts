import fc from 'fast-check'
import { type Field, type FieldKind, type Fields, isMany } from '../../src/fields/field.ts'
import { plainSamples } from '../harness/kind-samples.ts'
import { type Body, type Ground, type Kin, newBody, writtenFields } from './record-bodies.ts'

/** What no field of the kind takes, in words that both formats can say. Where there is nothing wrong to say, it is too much. */
const wrong: { readonly [K in FieldKind]: readonly unknown[] } = {
  ...plainSamples('wrong'),
  choice: [{ a: 'b' }, ' '],
  reference: ['x', '0', '-1', { id: 'x' }, { foo: '1' }, { id: '999999999' }, '999999999'],
  attachment: ['hello', 'data:image/png;base64,@@', 'data:,x', { id: 'x' }, { id: '999999999' }],
  part: ['text', { nonsense: 'x' }],
}

/** A closed list has a wrong word, an open one takes any. */
const wrongFor = (field: Field): readonly unknown[] =>
  field.kind === 'choice' && !field.open ? [...wrong.choice, 'nonsense'] : wrong[field.kind]

/** A body with one to three faults, all of it in texts, so that the two formats have the same to complain about. */
export function spoiledBody(kin: Kin, ground: Ground): fc.Arbitrary<Body> {
  const spoils = fc.array(spoiling(kin, ground), { minLength: 1, maxLength: 3 })
  return fc
    .tuple(newBody(kin, ground, 0.3), spoils)
    .map(([body, each]) => inTexts(each.reduce((spoiled, spoil) => spoil(spoiled), body)) as Body)
}

type Spoil = (body: Body) => Body

function spoiling({ type, bundle }: Kin, ground: Ground): fc.Arbitrary<Spoil> {
  const fields = writtenFields(type, bundle)
  const foreign = Object.values(type.bundles).flatMap((other) =>
    Object.keys(other.fields).filter((name) => !Object.hasOwn(type.bundles[bundle]?.fields ?? {}, name)),
  )
  const set =
    (name: string, value: unknown): Spoil =>
    (body) => ({ ...body, [name]: value })
  const names = ['nonsense', 'field_farm_nonsense', ...foreign, ...(type.name === 'asset' ? ['location'] : [])]
  return fc.oneof(
    fc
      .constantFrom(...Object.keys(fields))
      .chain((name) => badValue(fields, name, ground).map((value) => set(name, value))),
    fc.constantFrom(...names).map((name) => set(name, ['1'])),
    fc.constantFrom(
      set('name', ''),
      set('name', null),
      set('name', 'n'.repeat(256)),
      set(type.bundleName, 'no_such_bundle'),
      set(type.bundleName, null),
      set(type.idName, '5'),
      ({ name: _gone, ...rest }: Body) => rest,
    ),
  )
}

function badValue(fields: Fields, name: string, ground: Ground): fc.Arbitrary<unknown> {
  const field = fields[name]
  if (field === undefined) throw new Error(`There is no field ${name}`)
  const bad = fc.constantFrom(...wrongFor(field))
  if (field.kind === 'part') {
    const inside = fc.constantFrom(...Object.keys(field.fields))
    const spoiledPart = inside.chain((own) => badValue(field.fields, own, ground).map((value) => ({ [own]: value })))
    return isMany(field)
      ? fc.oneof(
          bad,
          spoiledPart,
          spoiledPart.map((one) => [{}, one]),
        )
      : fc.oneof(bad, spoiledPart)
  }
  return isMany(field) ? fc.oneof(bad, fc.array(bad, { minLength: 1, maxLength: 3 })) : bad
}

function inTexts(tree: unknown): unknown {
  if (tree === null) return null
  if (Array.isArray(tree)) return tree.map(inTexts)
  if (typeof tree !== 'object') return String(tree)
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, inTexts(value)]))
}

import { type Field, type FieldKind, type FieldOf, type Fields, isMany, type ReferenceField } from '../fields/field.ts'
import type { LinkedKind } from '../fields/kind.ts'
import { isPlain, plainRules } from '../fields/kinds.ts'
import type { RefusalFault } from '../refusal.ts'
import type { Farm } from './farm.ts'
import { identityWords, queryWords, writeWords } from './query-words.ts'

/** Field names with another meaning on a record, in an answer or in a query. */
const reserved: readonly string[] = [
  ...['id', 'tid', 'vid', 'uid', 'name', 'type', 'vocabulary', 'bundle', 'created', 'changed'],
  ...['url', 'uri', 'resource', 'parents_all'],
  ...identityWords,
  ...queryWords,
  ...writeWords,
]

/** Kinds that can have several values. */
const several: Readonly<Record<FieldKind, boolean>> = {
  ...plainRules('several'),
  choice: true,
  reference: true,
  attachment: true,
  part: true,
}

const referable: readonly string[] = ['log', 'asset', 'term', 'vocabulary', 'user']

/** The place of the fields: the farm, the path, and the computed fields that have a rule. */
interface Surroundings {
  readonly farm: Farm
  readonly at: string
  readonly computable: readonly string[]
}

/** Faults of a bundle's fields. They may come from a module that no compiler has checked. */
export function faultsOfFields(fields: Fields, around: Surroundings): RefusalFault[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...faultsOfName(name, around.at),
    ...(reserved.includes(name) ? [{ field: around.at, message: `"${name}" means something else on a record` }] : []),
    ...faultsOfField(field, { ...around, at: `${around.at}.${name}` }, name),
  ])
}

const nameLength = 64
const nameForm = new RegExp(`^[a-z][a-z0-9_]{0,${nameLength - 1}}$`)
const nameRule = `must be lower case letters, digits and _, at most ${nameLength}, a letter first`

export const faultsOfName = (name: string, at: string): RefusalFault[] =>
  nameForm.test(name) ? [] : [{ field: at, message: `"${name}" ${nameRule}` }]

export const givenTwice = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index)

export const faultsOfText = (text: unknown, at: string): RefusalFault[] =>
  typeof text === 'string' && text.trim() !== '' ? [] : [{ field: at, message: 'must be a text that is not empty' }]

function faultsOfField(field: Field, { farm, at, computable }: Surroundings, name: string): RefusalFault[] {
  const fault = (message: string, allowed?: readonly string[]): RefusalFault[] => [
    allowed === undefined ? { field: at, message } : { field: at, message, allowed },
  ]
  if (typeof field !== 'object' || field === null || !Object.hasOwn(several, field.kind)) {
    return fault('is not a field; make it with a word of the kit', Object.keys(several))
  }
  return [
    ...faultsOfText(field.label, `${at}.label`),
    ...('many' in field && !several[field.kind] ? fault(`a ${field.kind} field has one value`) : []),
    ...(field.computed !== undefined && !computable.includes(name)
      ? fault('cannot be computed: only fields of the stock farm are')
      : []),
    ...(field.kind === 'choice' && farm.lists[field.list] === undefined
      ? fault(`there is no list "${field.list}"`, Object.keys(farm.lists))
      : []),
    ...(field.kind === 'reference' ? faultsOfReference(farm, field, at) : []),
    ...(field.kind === 'part' ? faultsOfPart(field.fields, { farm, at, computable: [] }) : []),
  ]
}

/** Inside a part `id` and `type` are free, because it is no record: an animal's tag has both. */
function faultsOfPart(fields: Fields, around: Surroundings): RefusalFault[] {
  if (Object.keys(fields ?? {}).length === 0) return [{ field: around.at, message: 'a part needs fields' }]
  return Object.entries(fields).flatMap(([name, field]) => [
    ...faultsOfName(name, around.at),
    ...(name === 'uuid' ? [{ field: around.at, message: '"uuid" is how the service tells parts apart' }] : []),
    ...faultsOfField(field, { ...around, at: `${around.at}.${name}` }, name),
  ])
}

function faultsOfReference(farm: Farm, { to, within }: ReferenceField, at: string): RefusalFault[] {
  if (!referable.includes(to)) return [{ field: at, message: `nothing is called "${to}"`, allowed: referable }]
  if (within === 'own') return to === 'term' ? [] : [{ field: at, message: 'only terms have an own vocabulary' }]
  if (within === undefined) {
    return to === 'term'
      ? [{ field: at, message: 'must say which vocabulary: a term given by name is created there' }]
      : []
  }
  if (to === 'user' || to === 'vocabulary') return [{ field: at, message: `a ${to} is within nothing` }]
  const { bundles } = farm.records[to]
  return within
    .filter((bundle) => bundles[bundle] === undefined)
    .map((bundle) => ({ field: at, message: `there is no ${to} "${bundle}"`, allowed: Object.keys(bundles) }))
}

/** The properties of a field that must agree in all bundles, so that one filter can match it. */
export const shapeOf = (field: Field): string =>
  `${isMany(field) ? 'several ' : ''}${isPlain(field) ? field.kind : linkedShape(field)}`

const linkedShapes: { readonly [K in LinkedKind]: (field: FieldOf<K>) => string } = {
  choice: ({ list }) => `choice from "${list}"`,
  reference: ({ to, within }) => `reference to ${to}${to === 'term' ? ` (${within})` : ''}`,
  attachment: ({ kind }) => kind,
  part: ({ fields }) => {
    const inside = Object.entries(fields).map(([name, own]) => `${name}: ${shapeOf(own)}`)
    return `part with ${inside.join(', ')}`
  },
}

const linkedShape = <K extends LinkedKind>(field: FieldOf<K>): string => linkedShapes[(field as Field).kind as K](field)

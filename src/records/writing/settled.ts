import { isDeepStrictEqual } from 'node:util'
import { entriesOf, once } from '../../farm/fields-of.ts'
import type { Field, Fields } from '../../fields/field.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'
import type { RecordDraft } from './draft.ts'
import { partsIn } from './targets.ts'

/** What a record is to say, once what depends on its other fields is made to fit: of a new one, or beside what it said before. */
export function settled(
  { fields, given }: Pick<RecordDraft, 'fields' | 'given'>,
  values: Values,
  before?: Values,
): Values {
  const { cut, about, ofRevision, parts } = dependingIn(fields)
  const fit: Record<string, Value> = { ...values }
  for (const [name, to] of cut) replace(fit, name, cutTo(values[name], values[to]))
  for (const [name, other] of about) {
    if (before !== undefined && !given.has(name) && !isDeepStrictEqual(before[other], values[other])) delete fit[name]
  }
  for (const [name, inside] of parts) replace(fit, name, partsFit(fit[name], inside, { fields, values }))
  if (before === undefined || isDeepStrictEqual(fit, before)) return fit
  for (const name of ofRevision) if (!given.has(name)) delete fit[name]
  return fit
}

function replace(values: Record<string, Value>, name: string, value: Value | undefined): void {
  if (value === undefined) delete values[name]
  else values[name] = value
}

/** The fields of a record that depend on others, found once. */
const dependingIn = once((fields: Fields) => ({
  cut: entriesOf(fields).flatMap(([name, { cutTo: to }]) =>
    to !== undefined && Object.hasOwn(fields, to) ? [[name, to] as const] : [],
  ),
  about: entriesOf(fields).flatMap(([name, { about }]) => (about === undefined ? [] : [[name, about] as const])),
  ofRevision: entriesOf(fields).flatMap(([name, { ofRevision }]) => (ofRevision ? [name] : [])),
  parts: entriesOf(fields).flatMap(([name, field]) =>
    field.kind === 'part' && Object.values(field.fields).some(isDependent) ? [[name, field.fields] as const] : [],
  ),
}))

const isDependent = (field: Field): boolean => isAlone(field) || field.cutTo !== undefined

const isAlone = (field: Field): boolean => field.kind === 'yes-no' && field.alone === true

/** What of a list the other holds too; nothing where that is nothing. */
function cutTo(list: Value | undefined, other: Value | undefined): Value | undefined {
  const most = new Set(Array.isArray(other) ? other : [])
  const rest = (Array.isArray(list) ? list : []).filter((one) => most.has(one))
  return rest.length === 0 ? undefined : rest
}

/** A record, as far as it is known. */
interface SurroundingFields {
  readonly fields: Fields
  readonly values: Values
}

function partsFit(value: Value | undefined, inside: Fields, around: SurroundingFields): Value | undefined {
  const parts = partsIn(value).map((part) => partFit(part, inside, around))
  return Array.isArray(value) ? parts : parts[0]
}

function partFit(part: PartValue, inside: Fields, { fields, values }: SurroundingFields): PartValue {
  const fit: Record<string, Value> = { ...part } as Values
  for (const [name, { cutTo: to }] of entriesOf(inside)) {
    if (to !== undefined && Object.hasOwn(fields, to)) replace(fit, name, cutTo(part[name], values[to]))
  }
  const said = Object.keys(fit).filter((name) => name !== 'uuid')
  for (const name of said) {
    const field = inside[name]
    if (field !== undefined && isAlone(field) && said.length > 1) delete fit[name]
  }
  return { ...fit, uuid: part.uuid }
}

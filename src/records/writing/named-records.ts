import type { Field, Fields, ReferableType } from '../../fields/field.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'
import { targetOf } from '../record-index.ts'

/** One thing that a record names: another record, a user, a vocabulary, a file. */
export interface NamedReference {
  /** Also inside parts, such as `movement.area`. */
  readonly field: string
  readonly to: ReferableType | 'file'
  readonly id: number
}

/** Everything that the values of a record name, in the order of its fields. */
export function namedIn(fields: Fields, values: Values, above = ''): readonly NamedReference[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = values[name]
    if (value === undefined || field.computed !== undefined) return []
    const at = above + name
    if (field.kind === 'part') return partsOf(value).flatMap((part) => namedIn(field.fields, part, `${at}.`))
    const to = targetOf(field)
    return to === '' ? [] : listOf(value).map((id) => ({ field: at, to, id: Number(id) }))
  })
}

interface Omission {
  readonly isOmitted: (named: NamedReference) => boolean
  /** Fields that have to say something and would say nothing any more. */
  readonly emptied: string[]
  /** The path of the values, if not at the top of the record. */
  readonly above?: string
}

/** The same values without some of what they name. A part of which nothing is left goes too. */
export function withoutNamed(fields: Fields, values: Values, omission: Omission): Values {
  const { above = '', emptied } = omission
  const left: Record<string, Value> = { ...values }
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined || field.computed !== undefined) continue
    const rest = restOf(field, value, { omission, at: above + name })
    if (rest !== undefined) {
      left[name] = rest
      continue
    }
    delete left[name]
    if (field.required) emptied.push(above + name)
  }
  return left
}

interface Spot {
  readonly omission: Omission
  readonly at: string
}

function restOf(field: Field, value: Value, { omission, at }: Spot): Value | undefined {
  const to = targetOf(field)
  if (to === '' && field.kind !== 'part') return value
  const before = listOf(value)
  const rest =
    field.kind === 'part'
      ? partsOf(value)
          .map((part) => withoutNamed(field.fields, part, { ...omission, above: `${at}.` }) as Value)
          .filter((part, index) => !isBare(part) || isBare(before[index]))
      : before.filter((id) => to === '' || !omission.isOmitted({ field: at, to, id: Number(id) }))
  if (rest.length === 0 && before.length > 0) return undefined
  return Array.isArray(value) ? rest : rest[0]
}

/** True if a part has only its identity. */
const isBare = (part: Value | undefined): boolean => Object.keys((part ?? {}) as PartValue).length <= 1

const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value])

// The cast is safe: a part field holds parts.
const partsOf = (value: Value): readonly Values[] => listOf(value) as unknown as readonly Values[]

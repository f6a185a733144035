import type { Bundle } from '../data/bundle.ts'
import type { Farm } from '../data/farm.ts'
import { type Answer, fault, page } from './answer.ts'
import type { Parameter } from './query.ts'
import type { Resource, Row } from './resources.ts'

const notFilters = new Set(['page', 'limit', 'sort', 'direction', 'full'])
const computed = new Set(['url', 'location', 'geometry', 'quantity', 'movement', 'membership', 'inventory', 'tag'])
const columns = new Set(['target_id', 'tid', 'value'])

export class Unanswerable extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(answer.body.toString())
    this.answer = answer
  }
}

type Test = (row: Row<unknown>) => boolean

/** `log_category` is also known as `field_farm_log_category`, and `type` as `property_type`. */
const plainName = (name: string): string => name.replace(/^(property_|field_farm_)/, '')

/** The rows that pass every filter; each filter is equality, and several values of one are alternatives. */
export function filtered(resource: Resource, parameters: readonly Parameter[], farm: Farm): Row<unknown>[] {
  const asked = new Map<string, Parameter[]>()
  for (const parameter of parameters)
    if (!notFilters.has(parameter.name)) {
      const name = plainName(parameter.name)
      asked.set(name, [...(asked.get(name) ?? []), parameter])
    }
  const tests = [...asked].map(([name, several]) => testOf(name, several, { resource, farm }))
  return resource.rows(farm).filter((row) => tests.every((test) => test(row)))
}

interface Searched {
  readonly resource: Resource
  readonly farm: Farm
}

function testOf(name: string, several: readonly Parameter[], { resource, farm }: Searched): Test {
  const values = several.map(({ value }) => value)
  if (name === 'bundle') return ({ bundle }) => values.includes(bundle)
  if (computed.has(name)) throw new Unanswerable(page('Error', 500))
  if (resource.properties.includes(name))
    return ({ properties }) => values.some((value) => isEqual(properties[name], value))
  if (name === 'mail') throw new Unanswerable(fault(403, 'Not authorized to query property mail'))
  const field = farm.bundles.find((bundle) => isIn(name, bundle))?.fields[name]
  if (field === undefined) throw new Unanswerable(fault(412, `Not a valid filter: ${name}`))
  if (several.some(({ steps: [first] }) => first !== undefined && !columns.has(first)))
    throw new Unanswerable(page('Error', 500))
  const wanted = field.type === 'taxonomy_term_reference' ? values.map((value) => termNamed(value, farm)) : values
  return (row) => storedOf(row.values[name]).some((stored) => wanted.some((value) => isEqual(stored, value)))
}

const isIn = (name: string, { fields }: Bundle): boolean => name in fields

const storedOf = (value: unknown): (string | number)[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((one) =>
    typeof one === 'number' ? one : String(one),
  )

/** Letters are equal in either case, numbers however they are written. */
const isEqual = (stored: string | number | undefined, asked: string): boolean =>
  typeof stored === 'number'
    ? stored === Number.parseInt(asked, 10)
    : stored !== undefined && stored.toLowerCase() === asked.toLowerCase()

function termNamed(value: string, { terms }: Farm): string {
  const name = value.trim().toLowerCase()
  const found = terms.find((term) => term.name.trim().toLowerCase() === name)
  return found === undefined ? value : String(found.id)
}

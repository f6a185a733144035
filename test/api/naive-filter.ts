import type { Json } from '../harness/client.ts'

/** What a filter asks, as it is put into a query. */
export type Asked = Condition | Group

export interface Condition {
  readonly path: string
  readonly operator: string
  readonly values: readonly string[]
}

export interface Group {
  readonly conjunction: 'AND' | 'OR'
  readonly members: readonly Asked[]
}

/** The resources of a farm by type and id. */
export type Resources = ReadonlyMap<string, Json>

export const keyOf = ({ type, id }: Json): string => `${type} ${id}`

const times = ['timestamp', 'created', 'changed', 'archived', 'birthdate', 'purchase_date', 'revision_created']
const words = ['status', 'sex', 'land_type', 'measure', 'inventory_adjustment', 'flag', 'type', 'lab_test_type']

/** Whether a filter finds a resource, told from nothing but the resources themselves. */
export function isFound(resources: Resources, resource: Json, asked: Asked): boolean {
  if (!('members' in asked)) return holdTogether(resources, resource, [split(asked)])
  const conditions = asked.members.flatMap((member) => ('members' in member ? [] : [split(member)]))
  const groups = asked.members.flatMap((member) => ('members' in member ? [member] : []))
  if (asked.conjunction === 'OR')
    return (
      conditions.some((one) => holdTogether(resources, resource, [one])) ||
      groups.some((group) => isFound(resources, resource, group))
    )
  return holdTogether(resources, resource, conditions) && groups.every((group) => isFound(resources, resource, group))
}

interface Step {
  readonly names: readonly string[]
  readonly condition: Condition
}

const split = (condition: Condition): Step => ({ names: condition.path.split('.'), condition })

/** Steps that begin with one name hold of one and the same value behind it. */
function holdTogether(resources: Resources, resource: Json, steps: readonly Step[]): boolean {
  const names = new Set(steps.map(({ names: [first = ''] }) => first))
  return [...names].every((name) => {
    const own = steps.filter(({ names: [first] }) => first === name)
    const behind = own
      .filter(({ names: { length } }) => length > 1)
      .map(({ names: [, ...further], condition }) => ({ names: further, condition }))
    const whole = own.filter(({ names: { length } }) => length === 1)
    if (name in (resource.relationships ?? {})) {
      const linked = listOf(resource.relationships[name].data)
      const targets = linked.map((one) => resources.get(keyOf(one)))
      const isBare = whole.every(({ condition }) => (condition.operator === 'IS NULL') === (targets.length === 0))
      return isBare && (behind.length === 0 || orNothing(targets).some((target) => holdOf(resources, target, behind)))
    }
    if (name === 'id') return whole.every(({ condition }) => passes('id', resource.id, condition))
    const values = orNothing(listOf(resource.attributes[name]))
    return values.some(
      (value) =>
        whole.every(({ condition }) => passes(name, value, condition)) &&
        behind.every(({ names: [property = ''], condition }) => passes(property, value?.[property], condition)),
    )
  })
}

const holdOf = (resources: Resources, target: Json, steps: readonly Step[]): boolean =>
  target === undefined
    ? steps.every(({ condition }) => condition.operator === 'IS NULL')
    : holdTogether(resources, target, steps)

const listOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
const orNothing = (values: readonly Json[]): readonly Json[] => (values.length === 0 ? [undefined] : values)

function passes(name: string, value: Json, { operator, values }: Condition): boolean {
  const isNothing = value === undefined || value === null || value === ''
  if (operator === 'IS NULL') return isNothing
  if (operator === 'IS NOT NULL') return !isNothing
  if (isNothing) return false
  const own = comparable(name, value)
  const others = values.map((other) => comparable(name, other, typeof value))
  const [first = '', second = ''] = others
  switch (operator) {
    case '=':
    case 'IN':
      return others.includes(own)
    case '<>':
    case 'NOT IN':
      return !others.includes(own)
    case '>':
      return own > first
    case '>=':
      return own >= first
    case '<':
      return own < first
    case '<=':
      return own <= first
    case 'BETWEEN':
      return own >= first && own <= second
    case 'NOT BETWEEN':
      return own < first || own > second
    case 'STARTS_WITH':
      return String(own).startsWith(String(first))
    case 'ENDS_WITH':
      return String(own).endsWith(String(first))
    default:
      return String(own).includes(String(first))
  }
}

function comparable(name: string, value: Json, kind: string = typeof value): string | number {
  if (kind === 'boolean') return value === true || value === '1' || value === 'true' ? 1 : 0
  if (times.includes(name)) return /^\d+$/.test(value) ? Number(value) : Date.parse(value) / 1000
  if (kind === 'number' || name === 'decimal') return Number(value)
  return words.includes(name) ? String(value) : String(value).toLowerCase()
}

/** As a query. */
export function queryOf(group: Group): string {
  let number = 0
  const written = (asked: Asked, memberOf: string | undefined): readonly string[] => {
    const name = `m${number++}`
    if ('members' in asked)
      return [
        `filter[${name}][group][conjunction]=${asked.conjunction}`,
        ...(memberOf === undefined ? [] : [`filter[${name}][group][memberOf]=${memberOf}`]),
        ...asked.members.flatMap((member) => written(member, name)),
      ]
    const at = `filter[${name}][condition]`
    return [
      `${at}[path]=${asked.path}`,
      `${at}[operator]=${encodeURIComponent(asked.operator)}`,
      ...asked.values.map((value) => `${at}[value][]=${encodeURIComponent(value)}`),
      ...(memberOf === undefined ? [] : [`${at}[memberOf]=${memberOf}`]),
    ]
  }
  return written(group, undefined).join('&')
}

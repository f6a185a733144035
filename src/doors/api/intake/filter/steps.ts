import type { RecordTypeName } from '../../../../farm/farm.ts'
import { isRelationship, type Member, type ResourceType } from '../../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../../farm/newer/resource-types.ts'
import { badQuery } from '../../../../records/finding/bad-query.ts'
import { must } from '../../../../storage/must.ts'
import { allOf, type Condition, eitherOf, every, none } from '../../../../storage/records/condition.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import type { Path } from '../../query/path.ts'
import type { Reading } from '../../wire/implied.ts'
import { kindCondition } from '../kind-condition.ts'
import { askableOf, isCompound, uuidProperty } from './properties.ts'
import type { Property } from './property.ts'
import { propertyCondition, wantsNone } from './property-condition.ts'
import { leadsSomewhere, taken, type WayOut, waysOf } from './ways.ts'

/** What is asked, and the names that are left of its path. */
export interface Step {
  readonly names: Path
  readonly asked: FilterCondition
}

/** What has to hold of a record of one of these types, which are kept in one table. */
export async function stepsCondition(
  reading: Reading,
  types: readonly ResourceType[],
  steps: readonly Step[],
): Promise<Condition> {
  for (const { names, asked } of steps) refuseUnknown(types, names, asked)
  const byType = new Map<string, { readonly condition: Condition; readonly types: ResourceType[] }>()
  for (const type of types) {
    const condition = await ofType(reading, type, steps)
    const key = JSON.stringify(condition)
    const alike = byType.get(key)
    if (alike === undefined) byType.set(key, { condition, types: [type] })
    else alike.types.push(type)
  }
  const [only, another] = byType.values()
  if (only !== undefined && another === undefined) return only.condition
  const each = [...byType.values()].map((some) => allOf([isOf(reading, some.types), some.condition]))
  return eitherOf(each)
}

function isOf({ installation }: Reading, types: readonly ResourceType[]): Condition {
  return eitherOf(
    types.map(({ bundles, kind }) => {
      const bundle: Condition = { on: 'column value', column: 'bundle', test: { is: 'any of', values: bundles } }
      return kind === undefined ? bundle : allOf([bundle, kindCondition(installation.farm, kind)])
    }),
  )
}

function memberNamed({ members }: ResourceType, name: string): Member | undefined {
  return members.get(name) ?? [...members.values()].find(({ alias }) => alias === name)
}

function refuseUnknown(types: readonly ResourceType[], [name = '']: Path, { parameter, path }: FilterCondition): void {
  if (name === 'id' || types.some((type) => memberNamed(type, name) !== undefined)) return
  const known = new Set(types.flatMap(({ members }) => [...members.keys()]))
  const whose = types.map((type) => type.name).join(', ')
  throw badQuery(parameter, `${path.join('.')} cannot be asked about: ${whose} has no ${name}`, ['id', ...known])
}

async function ofType(reading: Reading, type: ResourceType, steps: readonly Step[]): Promise<Condition> {
  const byName = new Map<string, Step[]>()
  for (const step of steps) {
    const [name = ''] = step.names
    const own = memberNamed(type, name)?.name ?? name
    byName.set(own, [...(byName.get(own) ?? []), step])
  }
  const conditions: Condition[] = []
  for (const [name, some] of byName) conditions.push(await ofMember(reading, type, { name, steps: some }))
  return allOf(conditions)
}

interface Asked {
  readonly name: string
  readonly steps: readonly Step[]
}

async function ofMember(reading: Reading, type: ResourceType, { name, steps }: Asked): Promise<Condition> {
  const member = memberNamed(type, name)
  if (name === 'id') return propertyCondition(uuidProperty, wholly(steps))
  // What a type does not have is empty there.
  if (member === undefined) return steps.every(({ asked }) => wantsNone(asked)) ? every : none
  if (isRelationship(member)) return ofRelationship(reading, { type, member }, steps)
  return ofAttribute(reading, { type, member }, steps)
}

interface Of {
  readonly type: ResourceType
  readonly member: Member
}

/** Without anything behind the name. */
function wholly(steps: readonly Step[]): readonly FilterCondition[] {
  return steps.map(({ names: [name, further], asked }) => {
    if (further === undefined) return asked
    throw badQuery(asked.parameter, `${asked.path.join('.')} leads nowhere: ${name} has no ${further}`)
  })
}

function ofAttribute({ installation }: Reading, { type, member }: Of, steps: readonly Step[]): Condition {
  const askable = askableOf(installation.farm, type, member)
  if (askable === undefined) {
    const [{ asked } = must(steps[0])] = steps
    throw badQuery(asked.parameter, `${asked.path.join('.')} is worked out when it is read, and cannot be asked about`)
  }
  if (!isCompound(askable)) return propertyCondition(askable, wholly(steps))
  const byProperty = new Map<Property, FilterCondition[]>()
  for (const { names, asked } of steps) {
    const property = names.length === 2 ? askable.get(names[1] ?? '') : undefined
    if (property === undefined) {
      const known = [...askable.keys()].map((name) => `${member.name}.${name}`)
      throw badQuery(asked.parameter, `${asked.path.join('.')} cannot be asked about; ask for a property of it`, known)
    }
    byProperty.set(property, [...(byProperty.get(property) ?? []), asked])
  }
  return allOf([...byProperty].map(([property, asked]) => propertyCondition(property, asked)))
}

async function ofRelationship(reading: Reading, { type, member }: Of, steps: readonly Step[]): Promise<Condition> {
  const ways = waysOf(type.record, member)
  const bare = steps.filter(({ names }) => names.length === 1)
  const further = steps.filter(({ names }) => names.length > 1)
  return allOf([
    ...bare.map(({ asked }) => ofBare(ways, asked)),
    ...(further.length === 0 ? [] : [await alongWays(reading, { ways, member }, further)]),
  ])
}

function ofBare(ways: readonly WayOut[], { operator, parameter, path }: FilterCondition): Condition {
  if (operator === 'IS NOT NULL') return leadsSomewhere(ways)
  if (operator === 'IS NULL') return { on: 'not', condition: leadsSomewhere(ways) }
  throw badQuery(
    parameter,
    `${path.join('.')} is a relationship: ask for ${path.join('.')}.id, or by IS NULL or IS NOT NULL`,
  )
}

interface Along {
  readonly ways: readonly WayOut[]
  readonly member: Member
}

async function alongWays(reading: Reading, { ways, member }: Along, steps: readonly Step[]): Promise<Condition> {
  const inner = steps.map(({ names, asked }): Step => ({ names: names.slice(1), asked }))
  const targets = targetsOf(reading, member)
  const conditions: Condition[] = []
  for (const { way, to, when } of ways) {
    if (to === 'user' || to === 'file') continue
    const types = targets.filter(({ record }) => record === to)
    const condition = await stepsCondition(reading, types, inner)
    conditions.push(taken({ on: 'leading to', way, to: { is: 'record', type: to, condition } }, when))
  }
  const nothing = steps.every(({ asked }) => wantsNone(asked))
  return eitherOf(nothing ? [...conditions, { on: 'not', condition: leadsSomewhere(ways) }] : conditions)
}

const targetsOf = ({ installation }: Reading, { targets = [] }: Member): readonly ResourceType[] =>
  targets.flatMap((name) => resourceTypes(installation.farm).get(name) ?? [])

export type Table = RecordTypeName

import type { Farm } from '../../../../farm/farm.ts'
import { isRelationship, type Member, type ResourceType } from '../../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../../farm/newer/resource-types.ts'
import { must } from '../../../../storage/must.ts'
import { allOf, type Condition, eitherOf, every, none } from '../../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import type { ReadContext } from '../../wire/implied.ts'
import { kindCondition } from '../kind-condition.ts'
import { filesLike } from './files-like.ts'
import { not } from './log-conditions.ts'
import { type LookedAt, lookAt } from './looked-at.ts'
import { askableOf, uuidProperty } from './properties.ts'
import { type Compound, isCompound, type Property, type Shown } from './property.ts'
import { isLike, propertyCondition, wantsNone } from './property-condition.ts'
import { usersLike, wordCondition } from './short-lists.ts'
import { cannotAsk, further, isOfUuid, memberAt, refuseUnknown, type Step, wholly } from './step.ts'
import { leadsSomewhere, taken, type WayOut, waysOf } from './ways.ts'
import { refuseTooManyWays } from './ways-asked.ts'

/** A question, and what is known of it already: many types lead to the same ones. */
interface Asking extends ReadContext {
  readonly known: Map<string, Promise<Condition>>
}

/** What has to hold of a record of one of these types, which are kept in one table. */
function stepsCondition(asking: Asking, types: readonly ResourceType[], steps: readonly Step[]): Promise<Condition> {
  const asked = steps.map((step) => [step.asked.parameter, step.names])
  const key = JSON.stringify([types.map(({ name }) => name), asked])
  const known = asking.known.get(key) ?? ofTypes(asking, types, steps)
  asking.known.set(key, known)
  return known
}

async function ofTypes(reading: Asking, types: readonly ResourceType[], steps: readonly Step[]): Promise<Condition> {
  const each: { readonly type: ResourceType; readonly condition: Condition }[] = []
  for (const type of types) each.push({ type, condition: await ofType(reading, type, steps) })
  const alike = [...grouped(each, ({ condition }) => JSON.stringify(condition)).values()]
  const [only, another] = alike
  if (only !== undefined && another === undefined) return must(only[0]).condition
  return eitherOf(alike.map((some) => allOf([isOf(reading, typesIn(some)), must(some[0]).condition])))
}

const typesIn = (some: readonly { readonly type: ResourceType }[]) => some.map(({ type }) => type)

function isOf({ installation }: ReadContext, types: readonly ResourceType[]): Condition {
  return eitherOf(
    types.map(({ bundles, kind }) => {
      const bundle: Condition = { on: 'column value', column: 'bundle', test: { is: 'any of', values: bundles } }
      return kind === undefined ? bundle : allOf([bundle, kindCondition(installation.farm, kind)])
    }),
  )
}

async function ofType(reading: Asking, type: ResourceType, steps: readonly Step[]): Promise<Condition> {
  const byMember = grouped(steps, (step) => (isOfUuid(step) ? 'id' : memberAt(type, step)))
  const pieces: (Condition | LookedAt)[] = []
  for (const [member, some] of byMember) {
    if (member === 'id') pieces.push(propertyCondition(uuidProperty, wholly(some)))
    // What a type does not have is empty there.
    else if (member === undefined) pieces.push(some.every(({ asked }) => wantsNone(asked)) ? every : none)
    else pieces.push(await ofMember(reading, { type, member }, some))
  }
  return lookAt(reading, type, pieces)
}

interface MemberOf {
  readonly type: ResourceType
  readonly member: Member
}

async function ofMember(reading: Asking, { type, member }: MemberOf, steps: readonly Step[]) {
  if (!isRelationship(member)) return attributeCondition(reading.installation.farm, { type, member }, steps)
  const { source } = member
  if (source.of === 'note' && source.note === 'bundle')
    return wordCondition(reading.installation.farm, { type, member }, steps)
  const ways = waysOf(type.record, member)
  const [first] = steps
  if (ways.length === 0 && first !== undefined) throw cannotAsk(first, 'it is worked out when it is read')
  const bare = steps.filter(({ names }) => names.length === 1)
  const behind = steps.filter(({ names }) => names.length > 1).map(further)
  return allOf([
    ...bare.map((step) => ofBare(ways, step)),
    ...(behind.length === 0 ? [] : [await alongWays(reading, { ways, member }, behind)]),
  ])
}

function ofBare(ways: readonly WayOut[], step: Step): Condition {
  const { operator, path } = step.asked
  if (operator === 'IS NOT NULL') return leadsSomewhere(ways)
  if (operator === 'IS NULL') return not(leadsSomewhere(ways))
  const name = path.join('.')
  throw cannotAsk(step, `it is a relationship; ask for ${name}.id, or by IS NULL or IS NOT NULL`)
}

interface Along {
  readonly ways: readonly WayOut[]
  readonly member: Member
}

/** What has to hold of one of those that a relationship leads to. */
async function alongWays(reading: Asking, { ways, member }: Along, steps: readonly Step[]): Promise<Condition> {
  const targets = typesOf(reading, member)
  if (targets.length > 0) for (const step of steps) refuseUnknown(targets, step)
  const conditions: Condition[] = []
  for (const { way, to, when } of ways) {
    if (to === 'user' || to === 'file') {
      const numbers = await (to === 'user' ? usersLike : filesLike)(reading, steps)
      if (numbers.length > 0) conditions.push(taken({ on: 'leading to', way, to: { is: 'number', numbers } }, when))
    } else {
      const types = targets.filter(({ record }) => record === to)
      const condition = await stepsCondition(reading, types, steps)
      if (condition !== none)
        conditions.push(taken({ on: 'leading to', way, to: { is: 'record', type: to, condition } }, when))
    }
  }
  const isNothingWanted = steps.every(({ asked }) => wantsNone(asked))
  const all = eitherOf(isNothingWanted ? [...conditions, not(leadsSomewhere(ways))] : conditions)
  return refuseTooManyWays(steps[0]?.asked.parameter ?? 'filter', all)
}

const typesOf = ({ installation }: ReadContext, { targets = [] }: Member): readonly ResourceType[] =>
  targets.flatMap((name) => resourceTypes(installation.farm).get(name) ?? [])

/** What has to hold of a record of this type. */
export function conditionOn(
  reading: ReadContext,
  type: ResourceType,
  asked: readonly FilterCondition[],
): Promise<Condition> {
  const steps = asked.map((one): Step => ({ names: one.path, asked: one }))
  for (const step of steps) refuseUnknown([type], step)
  return stepsCondition({ ...reading, known: new Map() }, [type], steps)
}

interface Attribute {
  readonly type: ResourceType
  readonly member: Member
}

/** What has to hold of an attribute, by one of its values where it has several. */
function attributeCondition(farm: Farm, { type, member }: Attribute, steps: readonly Step[]): Condition | LookedAt {
  const askable = askableOf(farm, type, member)
  const first = must(steps[0])
  if (askable === undefined) throw cannotAsk(first, 'it is worked out when it is read')
  if (!isCompound(askable)) return propertyCondition(askable, wholly(steps))
  const asked = steps.map((step): AskedProperty => ({ step, ...propertyAt(askable, step) }))
  return isIndexed(asked) ? allOf(conditionsBy(asked)) : inRecord(askable, asked)
}

interface AskedProperty {
  readonly step: Step
  readonly name: string
  readonly property: Property
}

function propertyAt({ properties }: Compound, step: Step): Omit<AskedProperty, 'step'> {
  const [attribute, name = '', ...behind] = step.names
  const property = behind.length === 0 ? properties.get(name) : undefined
  if (property !== undefined) return { name, property }
  const there = [...properties.keys()].map((known) => `${attribute}.${known}`)
  throw cannotAsk(step, name === '' ? 'it has properties, ask for one of them' : 'there is no such property', there)
}

/** Which values of several properties belong together is not in the index, nor which of several objects lacks one. */
function isIndexed(asked: readonly AskedProperty[]): boolean {
  if (asked.some(({ property, step }) => property.many && wantsNone(step.asked))) return false
  if (asked.some(({ property }) => property.kept.in === 'record')) return false
  return new Set(asked.map(({ name }) => name)).size === 1 || asked.every(({ property }) => !property.many)
}

function conditionsBy(asked: readonly AskedProperty[]): readonly Condition[] {
  const byName = grouped(asked, ({ name }) => name)
  return [...byName.values()].map((some) =>
    propertyCondition(
      must(some[0]).property,
      some.map(({ step }) => step.asked),
    ),
  )
}

function inRecord(compound: Compound, asked: readonly AskedProperty[]): LookedAt {
  const passes = (shown: Shown) =>
    asked.every(({ name, property, step }) => isLike(shown[name], property.compares, step.asked))
  const wanted = asked.filter(({ step, property }) => !wantsNone(step.asked) && property.kept.in !== 'record')
  return {
    among: allOf([compound.filled, ...conditionsBy(wanted)]),
    isSo: (record: StoredRecord) => compound.shown(record).some(passes),
    orElse: asked.every(({ step }) => wantsNone(step.asked)) ? not(compound.filled) : none,
    step: must(asked[0]).step,
  }
}

/** In the order in which their keys first appear. */
function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

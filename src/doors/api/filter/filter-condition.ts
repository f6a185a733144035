import type { Farm } from '../../../farm/farm.ts'
import { isRelationship, type Member, type ResourceType } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { allOf, type Condition, eitherOf, every, none } from '../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../storage/records/finding.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { must } from '../../../storage/sql/fragment.ts'
import type { ReadContext } from '../documents/implied-values.ts'
import { recordsOf } from '../documents/resources.ts'
import { type CompoundAttribute, type FilterProperty, isCompound, type ShownObject } from './field-properties.ts'
import type { FilterCondition } from './filter-syntax.ts'
import { filterAttribute, uuidProperty } from './member-properties.ts'
import {
  cannotFilter,
  hasTarget,
  isOfUuid,
  kindCondition,
  lastConditions,
  memberAt,
  nextStep,
  not,
  onlyWhen,
  type PathStep,
  type RelationshipRoute,
  refuseTooManyRoutes,
  refuseUnknownMember,
  routesOf,
} from './paths.ts'
import { findFileNumbers, findUserNumbers, wordCondition } from './user-and-file-conditions.ts'
import { asksForNull, matchesValue, propertyCondition } from './value-conditions.ts'

/**
 * One group as a condition on the rows of a type. Paths are followed name by name; conditions with the same first name
 * apply to the same target, or to the same value.
 */
export function filterCondition(
  reading: ReadContext,
  type: ResourceType,
  asked: readonly FilterCondition[],
): Promise<Condition> {
  const steps = asked.map((one): PathStep => ({ names: one.path, asked: one }))
  for (const step of steps) refuseUnknownMember([type], step)
  return stepsCondition({ ...reading, known: new Map() }, [type], steps)
}

/** Cache of conditions by types and paths, which many types share. */
interface CachedReadContext extends ReadContext {
  readonly known: Map<string, Promise<Condition>>
}

/** The condition on records of these types, which share a table. */
function stepsCondition(
  asking: CachedReadContext,
  types: readonly ResourceType[],
  steps: readonly PathStep[],
): Promise<Condition> {
  const asked = steps.map((step) => [step.asked.parameter, step.names])
  const key = JSON.stringify([types.map(({ name }) => name), asked])
  const known = asking.known.get(key) ?? ofTypes(asking, types, steps)
  asking.known.set(key, known)
  return known
}

async function ofTypes(
  reading: CachedReadContext,
  types: readonly ResourceType[],
  steps: readonly PathStep[],
): Promise<Condition> {
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

async function ofType(reading: CachedReadContext, type: ResourceType, steps: readonly PathStep[]): Promise<Condition> {
  const byMember = grouped(steps, (step) => (isOfUuid(step) ? 'id' : memberAt(type, step)))
  const pieces: (Condition | RecordScan)[] = []
  for (const [member, some] of byMember) {
    if (member === 'id') pieces.push(propertyCondition(uuidProperty, lastConditions(some)))
    // A member that a type lacks counts as empty.
    else if (member === undefined) pieces.push(some.every(({ asked }) => asksForNull(asked)) ? every : none)
    else pieces.push(await ofMember(reading, { type, member }, some))
  }
  return scanRecords(reading, type, pieces)
}

interface MemberOf {
  readonly type: ResourceType
  readonly member: Member
}

async function ofMember(reading: CachedReadContext, { type, member }: MemberOf, steps: readonly PathStep[]) {
  if (!isRelationship(member)) return attributeCondition(reading.installation.farm, { type, member }, steps)
  const { source } = member
  if (source.of === 'note' && source.note === 'bundle')
    return wordCondition(reading.installation.farm, { type, member }, steps)
  const ways = routesOf(type.record, member)
  const [first] = steps
  if (ways.length === 0 && first !== undefined) throw cannotFilter(first, 'it is worked out when it is read')
  const bare = steps.filter(({ names }) => names.length === 1)
  const behind = steps.filter(({ names }) => names.length > 1).map(nextStep)
  return allOf([
    ...bare.map((step) => ofBare(ways, step)),
    ...(behind.length === 0 ? [] : [await alongRoutes(reading, { ways, member }, behind)]),
  ])
}

function ofBare(ways: readonly RelationshipRoute[], step: PathStep): Condition {
  const { operator, path } = step.asked
  if (operator === 'IS NOT NULL') return hasTarget(ways)
  if (operator === 'IS NULL') return not(hasTarget(ways))
  const name = path.join('.')
  throw cannotFilter(step, `it is a relationship; ask for ${name}.id, or by IS NULL or IS NOT NULL`)
}

interface RouteTargets {
  readonly ways: readonly RelationshipRoute[]
  readonly member: Member
}

/** At least one target of the relationship meets all conditions. */
async function alongRoutes(
  reading: CachedReadContext,
  { ways, member }: RouteTargets,
  steps: readonly PathStep[],
): Promise<Condition> {
  const targets = typesOf(reading, member)
  if (targets.length > 0) for (const step of steps) refuseUnknownMember(targets, step)
  const conditions: Condition[] = []
  for (const { way, to, when } of ways) {
    if (to === 'user' || to === 'file') {
      const numbers = await (to === 'user' ? findUserNumbers : findFileNumbers)(reading, steps)
      if (numbers.length > 0) conditions.push(onlyWhen({ on: 'leading to', way, to: { is: 'number', numbers } }, when))
    } else {
      const types = targets.filter(({ record }) => record === to)
      const condition = await stepsCondition(reading, types, steps)
      if (condition !== none)
        conditions.push(onlyWhen({ on: 'leading to', way, to: { is: 'record', type: to, condition } }, when))
    }
  }
  const isNothingWanted = steps.every(({ asked }) => asksForNull(asked))
  const all = eitherOf(isNothingWanted ? [...conditions, not(hasTarget(ways))] : conditions)
  return refuseTooManyRoutes(steps[0]?.asked.parameter ?? 'filter', all)
}

const typesOf = ({ installation }: ReadContext, { targets = [] }: Member): readonly ResourceType[] =>
  targets.flatMap((name) => resourceTypes(installation.farm).get(name) ?? [])

/** At least one value of the attribute meets all conditions. */
function attributeCondition(
  farm: Farm,
  { type, member }: MemberOf,
  steps: readonly PathStep[],
): Condition | RecordScan {
  const askable = filterAttribute(farm, type, member)
  const first = must(steps[0])
  if (askable === undefined) throw cannotFilter(first, 'it is worked out when it is read')
  if (!isCompound(askable)) return propertyCondition(askable, lastConditions(steps))
  const checks = steps.map((step): PropertyCheck => ({ step, ...propertyAt(askable, step) }))
  return isIndexed(checks) ? allOf(conditionsBy(checks)) : recordScan(askable, checks)
}

interface PropertyCheck {
  readonly step: PathStep
  readonly name: string
  readonly property: FilterProperty
}

function propertyAt({ properties }: CompoundAttribute, step: PathStep): Omit<PropertyCheck, 'step'> {
  const [attribute, name = '', ...behind] = step.names
  const property = behind.length === 0 ? properties.get(name) : undefined
  if (property !== undefined) return { name, property }
  const there = [...properties.keys()].map((known) => `${attribute}.${known}`)
  throw cannotFilter(step, name === '' ? 'it has properties, ask for one of them' : 'there is no such property', there)
}

/** The index does not hold which properties belong to the same object. */
function isIndexed(asked: readonly PropertyCheck[]): boolean {
  if (asked.some(({ property, step }) => property.many && asksForNull(step.asked))) return false
  if (asked.some(({ property }) => property.kept.in === 'record')) return false
  return new Set(asked.map(({ name }) => name)).size === 1 || asked.every(({ property }) => !property.many)
}

function conditionsBy(asked: readonly PropertyCheck[]): readonly Condition[] {
  const byName = grouped(asked, ({ name }) => name)
  return [...byName.values()].map((some) =>
    propertyCondition(
      must(some[0]).property,
      some.map(({ step }) => step.asked),
    ),
  )
}

function recordScan(compound: CompoundAttribute, asked: readonly PropertyCheck[]): RecordScan {
  const passes = (shown: ShownObject) =>
    asked.every(({ name, property, step }) => matchesValue(shown[name], property.compares, step.asked))
  const wanted = asked.filter(({ step, property }) => !asksForNull(step.asked) && property.kept.in !== 'record')
  return {
    among: allOf([compound.filled, ...conditionsBy(wanted)]),
    isSo: (record: StoredRecord) => compound.shown(record).some(passes),
    orElse: asked.every(({ step }) => asksForNull(step.asked)) ? not(compound.filled) : none,
    step: must(asked[0]).step,
  }
}

/** Groups in order of first occurrence. */
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

/** A test without an index: each candidate record is read and tested. */
interface RecordScan {
  readonly among: Condition
  readonly isSo: (record: StoredRecord) => boolean
  /** Records that pass without being read. */
  readonly orElse: Condition
  readonly step: PathStep
}

const isScan = (piece: Condition | RecordScan): piece is RecordScan => 'isSo' in piece

/** Reads the candidates that the other conditions leave, and replaces each scan by the ids that pass. */
async function scanRecords(
  reading: ReadContext,
  type: ResourceType,
  pieces: readonly (Condition | RecordScan)[],
): Promise<Condition> {
  const conditions = pieces.flatMap((piece) => (isScan(piece) ? [] : [piece]))
  const found: Condition[] = []
  for (const piece of pieces.filter(isScan)) {
    const among = allOf([...conditions, piece.among])
    const numbers = await numbersOf(reading, type, { ...piece, among })
    found.push(eitherOf([piece.orElse, { on: 'numbered', numbers }]))
  }
  return allOf([...conditions, ...found])
}

const atOnce = 500

async function numbersOf({ snapshot }: ReadContext, { record, bundles }: ResourceType, looked: RecordScan) {
  const ofType: Condition = { on: 'column value', column: 'bundle', test: { is: 'any of', values: bundles } }
  const search = { type: record, conditions: [ofType, looked.among], order: [] }
  const ids = await idsOfSlice(snapshot, search, { offset: 0, limit: limits.recordsLookedAt + 1 })
  if (ids.length > limits.recordsLookedAt) throw tooMany(looked)
  const numbers: number[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const records = await recordsOf(snapshot, record, ids.slice(start, start + atOnce))
    for (const [id, one] of records) if (looked.isSo(one)) numbers.push(id)
  }
  return numbers
}

function tooMany({ step: { asked } }: RecordScan) {
  const name = asked.path.join('.')
  const most = `more than ${limits.recordsLookedAt} records would have to be looked at for ${name}`
  return badQuery(asked.parameter, `${most}; ask for fewer of them in the same group of conditions`)
}

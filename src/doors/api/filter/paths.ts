import type { Farm, RecordTypeName, Vocabulary } from '../../../farm/farm.ts'
import type { Member, MemberRule, ResourceType } from '../../../farm/newer/resource-type.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { textKey } from '../../../fields/key.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import {
  allOf,
  type Condition,
  eitherOf,
  every,
  none,
  type ReferenceRoute,
} from '../../../storage/records/condition.ts'
import { type MemberPath, targetNumber } from '../query-parameters.ts'
import type { FilterCondition } from './filter-syntax.ts'

/** A condition, and the rest of its path. */
export interface PathStep {
  readonly names: MemberPath
  readonly asked: FilterCondition
}

export const nextStep = ({ names, asked }: PathStep): PathStep => ({ names: names.slice(1), asked })

/** True after the first relationship of the path. */
const isOfTarget = ({ names, asked }: PathStep): boolean => names.length < asked.path.length

/** The member that a step names. The id of a target is `drupal_internal__target_id` in every type. */
export function memberAt(type: ResourceType, step: PathStep): Member | undefined {
  const [name = ''] = step.names
  if (name === targetNumber && isOfTarget(step)) return [...type.members.values()].find(isNumber)
  return memberNamed(type, name)
}

const isNumber = ({ source }: Member): boolean => source.of === 'note' && source.note === 'number'

export function memberNamed({ members }: ResourceType, name: string): Member | undefined {
  return members.get(name) ?? [...members.values()].find(({ alias }) => alias === name)
}

export const isOfUuid = ({ names: [name] }: PathStep): boolean => name === 'id'

/** Refuses a name that none of the types has. */
export function refuseUnknownMember(types: readonly ResourceType[], step: PathStep): void {
  if (isOfUuid(step) || types.some((type) => memberAt(type, step) !== undefined)) return
  const known = new Set(types.flatMap(({ members }) => [...members.keys()]))
  const [first, ...others] = types.map(({ name }) => name)
  const whose = others.length === 0 ? `${first} has` : `none of ${[first, ...others].join(', ')} has`
  throw cannotFilter(step, `${whose} ${others.length === 0 ? 'no' : 'a'} ${step.names[0]}`, ['id', ...known])
}

/** The conditions of steps that end at this name. */
export function lastConditions(steps: readonly PathStep[]): readonly FilterCondition[] {
  return steps.map((step) => {
    const [name, behind] = step.names
    if (behind === undefined) return step.asked
    throw cannotFilter(step, `${name} has no ${behind}`)
  })
}

export function cannotFilter({ asked: { parameter, path } }: PathStep, message: string, allowed?: readonly string[]) {
  return badQuery(parameter, `${path.join('.')} cannot be asked about: ${message}`, allowed)
}

/** One stored form of a relationship, and its target type. */
export interface RelationshipRoute {
  readonly way: ReferenceRoute
  readonly to: RecordTypeName | 'user' | 'file'
  /** The records that use it; undefined: all. */
  readonly when?: Condition
}

/** The routes of a relationship. Empty for a computed one, or one to words of the catalogue. */
export function routesOf(record: RecordTypeName, { field, source }: Member): readonly RelationshipRoute[] {
  switch (source.of) {
    case 'field':
      if (field.kind === 'attachment') return [along(source.field, 'file')]
      if (field.kind !== 'reference' || field.to === 'vocabulary') return []
      if (record === 'quantity' && source.field === 'unit')
        return [{ way: { by: 'column', column: 'unit_id' }, to: 'term' }]
      return [along(source.field, field.to)]
    case 'two fields':
      return [along(source.assets, 'asset'), along(source.areas, 'term')]
    case 'note':
      if (source.note === 'author') return [{ way: { by: 'column', column: 'uid' }, to: 'user' }]
      return source.note === 'reviser' ? [{ way: { by: 'last revision' }, to: 'user' }] : []
    case 'rule':
      return byRules[source.rule] ?? []
  }
}

const along = (field: string, to: RelationshipRoute['to']): RelationshipRoute => ({
  way: { by: 'reference', field, target: to },
  to,
})

const toMovementArea: ReferenceRoute = { by: 'reference', field: 'movement.area', target: 'term' }

const toMovementPlace: ReferenceRoute = { by: 'reference', field: 'movement.place', target: 'asset' }

const has = (way: ReferenceRoute): Condition => ({ on: 'leading to', way, to: { is: 'anything' } })

const says = (field: string): Condition => ({ on: 'field value', field, test: { is: 'all', tests: [] } })

/** `moves` of documents/member-rules.ts, in SQL. */
export const isMoving: Condition = eitherOf([
  has(toMovementArea),
  has(toMovementPlace),
  says('movement.geometry'),
  says('movement.leaves'),
])

const toAssignedGroup: ReferenceRoute = { by: 'reference', field: 'membership.group', target: 'asset' }

/** `assignsGroups` of documents/member-rules.ts, in SQL. */
export const isAssigning: Condition = eitherOf([has(toAssignedGroup), says('membership.leaves')])

/** Routes of the members in documents/member-rules.ts. */
const byRules: Readonly<Partial<Record<MemberRule, readonly RelationshipRoute[]>>> = {
  'log assets': [along('asset', 'asset'), along('asset_area', 'term')],
  'log location': [
    { way: toMovementArea, to: 'term' },
    { way: toMovementPlace, to: 'asset' },
    { way: { by: 'reference', field: 'area', target: 'term', except: 'aside' }, to: 'term', when: not(isMoving) },
    { ...along('place', 'asset'), when: not(isMoving) },
  ],
  'assigned groups': [
    { way: toAssignedGroup, to: 'asset' },
    { ...along('group', 'asset'), when: not(isAssigning) },
  ],
  'log quantities': [{ way: { by: 'quantities' }, to: 'quantity' }],
}

export const hasTarget = (ways: readonly RelationshipRoute[]): Condition =>
  eitherOf(ways.map(({ way, when }) => onlyWhen({ on: 'leading to', way, to: { is: 'anything' } }, when)))

export const onlyWhen = (condition: Condition, when: Condition | undefined): Condition =>
  when === undefined ? condition : allOf([condition, when])

/** A relationship to assets and areas doubles the number of joins with every name of a path. */
export function refuseTooManyRoutes(parameter: string, condition: Condition): Condition {
  if (routesIn(condition) <= limits.filterWays) return condition
  const most = `may take ${limits.filterWays} ways from record to record, and this takes more`
  throw badQuery(parameter, `${most}; ask along shorter paths, or with fewer conditions`)
}

function routesIn(condition: Condition): number {
  switch (condition.on) {
    case 'leading to':
      return 1 + (condition.to.is === 'record' ? routesIn(condition.to.condition) : 0)
    case 'not':
      return routesIn(condition.condition)
    case 'either':
    case 'all':
      return condition.conditions.reduce((ways, one) => ways + routesIn(one), 0)
    default:
      return 0
  }
}

export function not(condition: Condition): Condition {
  if (condition === none) return every
  return condition === every ? none : { on: 'not', condition }
}

/** Quantities that belong to a log. */
export const isQuantityOfLog: Condition = has({ by: 'log' })

/** The areas of an asset type (farm/newer/area-assets.ts); the first type has all areas of no other. */
export function kindCondition(farm: Farm, kind: string): Condition {
  const [, vocabulary] = areaVocabulary(farm)
  const [first, ...others] = Object.keys(vocabulary.kinds ?? {})
  if (kind !== first) return kindByWord(farm, kind)
  return { on: 'not', condition: eitherOf(others.map((other) => kindByWord(farm, other))) }
}

function kindByWord(farm: Farm, kind: string): Condition {
  const words: NonNullable<Farm['lists'][string]> = farm.lists.area_types ?? []
  const telling = words.filter((word) => word.kind === kind)
  const leavingOpen = words.filter((word) => word.kind === undefined && word.alsoKind !== undefined)
  return eitherOf([
    isAnyOf(
      'area_type',
      telling.map(({ value }) => value),
    ),
    allOf([
      isAnyOf(
        'area_type',
        leavingOpen.map(({ value }) => value),
      ),
      isAnyOf('kind', [kind]),
    ]),
  ])
}

const isAnyOf = (field: keyof Vocabulary['fields'] & string, words: readonly string[]): Condition => ({
  on: 'field value',
  field,
  test: { is: 'any of', values: words.map(textKey) },
})

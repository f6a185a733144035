import type { Farm } from '../../../farm/farm.ts'
import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { allAccounts } from '../../../storage/access/account-rows.ts'
import { type FileCondition, type FileProperty, fileSlice } from '../../../storage/file-pages.ts'
import { type Condition, every, none } from '../../../storage/records/condition.ts'
import { must } from '../../../storage/sql/fragment.ts'
import { configTypes } from '../config-resources.ts'
import { configUuid } from '../documents/identifiers.ts'
import type { ReadContext } from '../documents/implied-values.ts'
import { targetNumber } from '../query-parameters.ts'
import type { ValueComparison } from './field-properties.ts'
import { cannotFilter, nextStep, type PathStep } from './paths.ts'
import { asksForNull, matchesValue, valueTest } from './value-conditions.ts'

/** Filterable values of a user or a word of the catalogue, with their comparison. */
type ComparableValues = Readonly<Record<string, readonly [ValueComparison, unknown]>>

const asText: ValueComparison = { as: 'text' }
const asNumber: ValueComparison = { as: 'number' }
const asTime: ValueComparison = { as: 'time' }
const asUuid: ValueComparison = { as: 'uuid' }
const asYesNo: ValueComparison = { as: 'yes or no' }

function matchesStep(told: ComparableValues, step: PathStep): boolean {
  const name = step.names.join('.')
  const [compares, shown] = (Object.hasOwn(told, name) ? told[name] : undefined) ?? []
  if (compares !== undefined) return matchesValue(shown, compares, step.asked)
  throw cannotFilter(step, `there is no ${name} to ask for`, Object.keys(told))
}

export async function findUserNumbers(
  { snapshot }: ReadContext,
  steps: readonly PathStep[],
): Promise<readonly number[]> {
  const found = (await allAccounts(snapshot)).filter((account) => {
    const { uid, uuid, name, language, created } = account
    const comparable: ComparableValues = {
      id: [asUuid, uuid],
      drupal_internal__uid: [asNumber, uid],
      [targetNumber]: [asNumber, uid],
      name: [asText, name],
      display_name: [asText, name],
      langcode: [asText, language],
      created: [asTime, created],
      changed: [asTime, created],
    }
    return steps.every((step) => matchesStep(comparable, step))
  })
  return found.map(({ uid }) => uid)
}

interface BundleMember {
  readonly type: ResourceType
  readonly member: Member
}

/** All records of a type refer to the same word of the catalogue. */
export function wordCondition(farm: Farm, { type, member }: BundleMember, steps: readonly PathStep[]): Condition {
  const [config = ''] = member.targets ?? []
  const comparable = valuesOfWord(farm, config, type.bundle)
  const isSo = steps.every((step) => {
    if (step.names.length > 1) return matchesStep(comparable, nextStep(step))
    if (step.asked.operator === 'IS NULL') return false
    if (step.asked.operator === 'IS NOT NULL') return true
    throw cannotFilter(step, `it is a relationship; ask for ${step.asked.path.join('.')}.id`)
  })
  return isSo ? every : none
}

function valuesOfWord(farm: Farm, config: string, id: string): ComparableValues {
  const { idName, attributes, words } = must(configTypes.get(config))
  const word = words({ farm, types: [...resourceTypes(farm).values()] }).find((one) => one.id === id)
  const own = Object.entries(attributes).map(([name, { kind }]) => {
    const compares = kind === 'whole' ? asNumber : kind === 'yes-no' ? asYesNo : asText
    return [name, [compares, word?.attributes[name]]] as const
  })
  return {
    id: [asUuid, configUuid(config, id)],
    ...Object.fromEntries(own),
    langcode: [asText, 'en'],
    status: [asYesNo, true],
    [idName]: [asText, id],
    [targetNumber]: [asText, id],
  }
}

interface FileFilterProperty {
  readonly property: FileProperty
  readonly compares: ValueComparison
}

const fileProperty = (property: FileProperty, as: Exclude<ValueComparison['as'], 'word'>): FileFilterProperty => ({
  property,
  compares: { as },
})

/** Properties of files for filtering and sorting. */
export const fileProperties: Readonly<Record<string, FileFilterProperty>> = {
  id: fileProperty('uuid', 'uuid'),
  drupal_internal__fid: fileProperty('id', 'number'),
  filename: fileProperty('name_key', 'text'),
  'uri.value': fileProperty('uri_key', 'text'),
  filemime: fileProperty('mime', 'text'),
  filesize: fileProperty('size', 'number'),
  status: fileProperty('is_used', 'yes or no'),
  langcode: fileProperty('language', 'text'),
  created: fileProperty('created', 'time'),
  changed: fileProperty('changed', 'time'),
}

const noFile: FileCondition = { on: 'either', conditions: [] }

export async function fileCondition(reading: ReadContext, steps: readonly PathStep[]): Promise<FileCondition> {
  const conditions: FileCondition[] = []
  for (const step of steps) conditions.push(await (step.names[0] === 'uid' ? ofSender(reading, step) : ofFile(step)))
  return { on: 'all', conditions }
}

function ofFile(step: PathStep): FileCondition {
  const name = step.names.join('.')
  const { property, compares } = filePropertyNamed(name === targetNumber ? 'drupal_internal__fid' : name) ?? {}
  if (property === undefined || compares === undefined)
    throw cannotFilter(step, `there is no ${name} to ask for`, [...Object.keys(fileProperties), 'uid.id'])
  if (asksForNull(step.asked)) return noFile
  return { on: property, test: valueTest(compares, 'column', step.asked) }
}

const filePropertyNamed = (name: string): FileFilterProperty | undefined =>
  Object.hasOwn(fileProperties, name) ? fileProperties[name] : undefined

/** Files made by the farm itself have no sender. */
async function ofSender(reading: ReadContext, step: PathStep): Promise<FileCondition> {
  if (step.names.length > 1)
    return { on: 'uid', test: { is: 'any of', values: await findUserNumbers(reading, [nextStep(step)]) } }
  const { operator, path } = step.asked
  if (operator === 'IS NULL') return { on: 'uid', test: { is: 'any of', values: [0] } }
  if (operator === 'IS NOT NULL') return { on: 'uid', test: { is: 'none of', values: [0] } }
  throw cannotFilter(step, `it is a relationship; ask for ${path.join('.')}.id`)
}

export async function findFileNumbers(reading: ReadContext, steps: readonly PathStep[]): Promise<readonly number[]> {
  const { snapshot, caller } = reading
  const condition = await fileCondition(reading, steps)
  const limit = limits.recordsLookedAt + 1
  const found = await fileSlice(snapshot, { condition, order: [], seenBy: caller.uid, offset: 0, limit })
  if (found.length < limit) return found.map(({ id }) => id)
  const { parameter, path } = must(steps[0]).asked
  throw badQuery(
    parameter,
    `more than ${limits.recordsLookedAt} files are like that; ask for fewer by ${path.join('.')}`,
  )
}

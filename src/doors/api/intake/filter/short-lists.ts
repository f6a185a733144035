import type { Farm } from '../../../../farm/farm.ts'
import type { Member, ResourceType } from '../../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../../farm/newer/resource-types.ts'
import { allAccounts } from '../../../../storage/access/account-rows.ts'
import { must } from '../../../../storage/must.ts'
import { type Condition, every, none } from '../../../../storage/records/condition.ts'
import { configTypes } from '../../config/config-types.ts'
import { configUuid } from '../../config/config-uuid.ts'
import { targetNumber } from '../../query/path.ts'
import type { ReadContext } from '../../wire/implied.ts'
import type { Comparison } from './property.ts'
import { isLike } from './property-condition.ts'
import { cannotAsk, further, type Step } from './step.ts'

/** What of a user or a word of the catalogue can be asked about, and how it compares. */
type Told = Readonly<Record<string, readonly [Comparison, unknown]>>

const asText: Comparison = { as: 'text' }
const asNumber: Comparison = { as: 'number' }
const asTime: Comparison = { as: 'time' }
const asUuid: Comparison = { as: 'uuid' }
const asYesNo: Comparison = { as: 'yes or no' }

function isTold(told: Told, step: Step): boolean {
  const name = step.names.join('.')
  const [compares, shown] = (Object.hasOwn(told, name) ? told[name] : undefined) ?? []
  if (compares !== undefined) return isLike(shown, compares, step.asked)
  throw cannotAsk(step, `there is no ${name} to ask for`, Object.keys(told))
}

/** The numbers of the users that are like that. */
export async function usersLike({ snapshot }: ReadContext, steps: readonly Step[]): Promise<readonly number[]> {
  const found = (await allAccounts(snapshot)).filter((account) => {
    const { uid, uuid, name, language, created } = account
    const told: Told = {
      id: [asUuid, uuid],
      drupal_internal__uid: [asNumber, uid],
      [targetNumber]: [asNumber, uid],
      name: [asText, name],
      display_name: [asText, name],
      langcode: [asText, language],
      created: [asTime, created],
      changed: [asTime, created],
    }
    return steps.every((step) => isTold(told, step))
  })
  return found.map(({ uid }) => uid)
}

interface OfBundle {
  readonly type: ResourceType
  readonly member: Member
}

/** All records of a type lead to the same word of the catalogue. */
export function wordCondition(farm: Farm, { type, member }: OfBundle, steps: readonly Step[]): Condition {
  const [config = ''] = member.targets ?? []
  const told = toldOfWord(farm, config, type.bundle)
  const isSo = steps.every((step) => {
    if (step.names.length > 1) return isTold(told, further(step))
    if (step.asked.operator === 'IS NULL') return false
    if (step.asked.operator === 'IS NOT NULL') return true
    throw cannotAsk(step, `it is a relationship; ask for ${step.asked.path.join('.')}.id`)
  })
  return isSo ? every : none
}

function toldOfWord(farm: Farm, config: string, id: string): Told {
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

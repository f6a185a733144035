import type { Farm } from '../../../../farm/farm.ts'
import type { Member, ResourceType } from '../../../../farm/newer/resource-type.ts'
import { must } from '../../../../storage/must.ts'
import { allOf, type Condition, none } from '../../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import { grouped } from './grouped.ts'
import { not } from './log-conditions.ts'
import type { LookedAt } from './looked-at.ts'
import { askableOf } from './properties.ts'
import { type Compound, isCompound, type Property, type Shown } from './property.ts'
import { isLike, propertyCondition, wantsNone } from './property-condition.ts'
import { cannotAsk, type Step, wholly } from './step.ts'

interface Attribute {
  readonly type: ResourceType
  readonly member: Member
}

/** What has to hold of an attribute, by one of its values where it has several. */
export function attributeCondition(
  farm: Farm,
  { type, member }: Attribute,
  steps: readonly Step[],
): Condition | LookedAt {
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

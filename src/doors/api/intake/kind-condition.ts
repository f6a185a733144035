import type { Farm, Vocabulary } from '../../../farm/farm.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { textKey } from '../../../fields/key.ts'
import { allOf, type Condition, eitherOf } from '../../../storage/records/condition.ts'

/** The areas that are assets of a kind (farm/newer/area-kind.ts): of the first are those that are of no other. */
export function kindCondition(farm: Farm, kind: string): Condition {
  const [, vocabulary] = areaVocabulary(farm)
  const [first, ...others] = Object.keys(vocabulary.kinds ?? {})
  if (kind !== first) return toldBy(farm, kind)
  return { on: 'not', condition: eitherOf(others.map((other) => toldBy(farm, other))) }
}

function toldBy(farm: Farm, kind: string): Condition {
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

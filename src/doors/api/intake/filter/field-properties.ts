import type { Farm } from '../../../../farm/farm.ts'
import { partMembers } from '../../../../farm/newer/members.ts'
import type { ResourceType } from '../../../../farm/newer/resource-type.ts'
import { type Field, isMany } from '../../../../fields/field.ts'
import { allOf, type Condition, eitherOf } from '../../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../../storage/records/stored.ts'
import { spellAttribute } from '../../values/spelling.ts'
import { geometryProperties, inRecord, isSaid, keptAt, listOf, richTextProperties, wordsOf, yesNo } from './kept.ts'
import { not } from './log-conditions.ts'
import { type Askable, type Case, type Compound, isCompound, type Kept, type Property } from './property.ts'

interface FieldAt {
  readonly field: Field
  readonly path: string
  readonly opposite?: true
}

/** What of a field can be asked about. */
export function ofField(farm: Farm, type: ResourceType, { field, path, opposite }: FieldAt): Askable {
  const kept = keptAt(type.record, path)
  const many = manyOf(field)
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return { compares: { as: path === 'name' ? 'name' : 'text' }, kept, ...many }
    case 'timestamp':
      return { compares: { as: 'time' }, kept }
    case 'whole':
      return { compares: { as: 'number' }, kept }
    case 'decimal':
      return { compares: { as: 'decimal' }, kept }
    case 'choice':
      return { compares: wordsOf(farm, field.list), kept: saidByBundle(farm, type, { path, kept }), ...many }
    case 'yes-no':
      return yesNo(isSaid(path), opposite === undefined ? 'yes' : 'no')
    case 'rich-text':
    case 'geometry':
    case 'period':
    case 'part':
      return compoundOf(farm, type, { field, path })
    case 'reference':
    case 'attachment':
      return undefined
  }
}

/** What of objects can be asked about, by the kind of the field that holds them. */
function compoundOf(farm: Farm, type: ResourceType, at: FieldAt): Compound {
  const { field, path } = at
  const shown = ({ values }: StoredRecord) => listOf(spellAttribute(field, values[path], farm))
  return { properties: propertiesOf(farm, type, at), shown, filled: isFilled(field, path) }
}

function propertiesOf(farm: Farm, type: ResourceType, { field, path }: FieldAt): ReadonlyMap<string, Property> {
  if (field.kind === 'part')
    return new Map(
      partMembers(field).flatMap(({ own, name, field: inner }) => {
        const askable = ofField(farm, type, { field: inner, path: `${path}.${own}` })
        return askable === undefined || isCompound(askable) ? [] : [[name, { ...askable, ...manyOf(field) }] as const]
      }),
    )
  const kept = keptAt(type.record, path)
  if (field.kind === 'rich-text') return richTextProperties(kept)
  if (field.kind === 'geometry') return geometryProperties(kept)
  return new Map([
    ['value', { compares: { as: 'time' }, kept }],
    ['end_value', { compares: { as: 'time' }, kept: inRecord }],
  ])
}

/** A part is there where any of its fields says something. */
const isFilled = (field: Field, path: string): Condition =>
  field.kind === 'part'
    ? eitherOf(Object.entries(field.fields).map(([name, own]) => isFilled(own, `${path}.${name}`)))
    : isSaid(path)

const manyOf = (field: Field) => (isMany(field) ? { many: true as const } : {})

const ofBundle = (bundle: string): Condition => ({
  on: 'column value',
  column: 'bundle',
  test: { is: 'any of', values: [bundle] },
})

/** Where several bundles are one type, the bundle tells what nobody said. */
function saidByBundle(
  farm: Farm,
  { record, bundles }: ResourceType,
  { path, kept }: { path: string; kept: Kept },
): Kept {
  const telling = bundles.flatMap((bundle) => {
    const by = farm.records[record].bundles[bundle]?.newer?.by
    return by?.field === path && by.word !== undefined ? [{ bundle, word: by.word }] : []
  })
  if (telling.length === 0) return kept
  const cases = telling.map(({ bundle, word }): Case => ({ value: word, when: ofBundle(bundle) }))
  const isTold = eitherOf(cases.map(({ when }) => when))
  const isUnsaid = allOf([isTold, not(isSaid(path))])
  return {
    in: 'either',
    places: [
      { when: not(isUnsaid), kept },
      { when: isUnsaid, kept: { in: 'cases', cases } },
    ],
  }
}

import type { Farm } from '../../../farm/farm.ts'
import { wordsOfKind } from '../../../farm/newer/area-kind.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import { isMany } from '../../../fields/field.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import type { DescribedMember, DescribedType } from './described-type.ts'
import { fractionSchema, valueSchema, wordSchema } from './value-schemas.ts'

/** An attribute as clients read it: what it is called, made of, and filled with. */
export function attributeSchema(farm: Farm, type: DescribedType, member: DescribedMember): Schema {
  const title = member.field.label
  const one = oneValue(farm, type, member)
  if (isList(member)) return { type: 'array', title, items: one }
  return { title, ...one, ...defaultOf(member) }
}

/** Several geometries are shown as one. */
export const isList = ({ field }: DescribedMember): boolean => isMany(field) && field.kind !== 'geometry'

export const ruleOf = ({ source }: DescribedMember) => (source?.of === 'rule' ? source.rule : undefined)

function oneValue(farm: Farm, { kind }: DescribedType, member: DescribedMember): Schema {
  const rule = ruleOf(member)
  if (rule === 'fraction') return fractionSchema
  if (rule !== 'area type' || kind === undefined) return valueSchema(member.field, farm)
  const [, areas] = areaVocabulary(farm)
  return wordSchema(wordsOfKind(farm, areas, kind))
}

/** Only of a yes or no: a client that finds the default of a status there would say done where it now says pending. */
function defaultOf({ field, source, default: said }: DescribedMember): Schema {
  if (field.kind !== 'yes-no' || source === undefined || source.of === 'note') return {}
  return { default: said === true || (source.of === 'field' && source.opposite === true) }
}

/** What a resource always says. What a writer leaves out of it is filled in: the status, and now as the time of a log. */
export const isRequired = ({ field, default: said }: DescribedMember): boolean =>
  field.required === true || typeof said === 'string' || (field.kind === 'timestamp' && field.newer?.required === false)

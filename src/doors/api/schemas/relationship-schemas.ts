import { isMany } from '../../../fields/field.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import type { DescribedMember } from './described-type.ts'

/** A relationship as clients read it: to one or to many, and to which types. */
export function relationshipSchema(member: DescribedMember): Schema {
  const identifier = {
    type: 'object',
    required: ['type', 'id'],
    properties: {
      type: { type: 'string', enum: targetsOf(member) },
      id: { type: 'string', format: 'uuid', maxLength: 128 },
      meta: { type: 'object' },
    },
  }
  const data = isMany(member.field) ? { type: 'array', items: identifier } : identifier
  return { type: 'object', title: member.field.label, properties: { data } }
}

export const targetsOf = ({ targets = ofFiles }: DescribedMember): readonly string[] => targets

const ofFiles = ['file--file']

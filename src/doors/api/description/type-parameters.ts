import type { Farm } from '../../../farm/farm.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { describedTypeNames } from '../schemas/described-type.ts'

/** The type of resources, as an address names it. */
export function typeParameters(farm: Farm): readonly Schema[] {
  const types = describedTypeNames(farm).map((type) => type.split('--'))
  const words = (place: 0 | 1) => [...new Set(types.map((type) => type[place]))]
  return [inPath('family', { enum: words(0) }), inPath('bundle', { enum: words(1) })]
}

const inPath = (name: string, schema: Schema): Schema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', ...schema },
})

export const uuidInPath = inPath('uuid', { format: 'uuid' })
export const relationshipInPath = inPath('relationship', {})

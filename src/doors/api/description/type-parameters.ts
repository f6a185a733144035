import type { Farm } from '../../../farm/farm.ts'
import { parameterRef, type Schema } from '../../http/openapi/schema.ts'
import { describedTypeNames } from '../schemas/described-type.ts'

/** The words of addresses that name types of resources. */
export function typeParameters(farm: Farm): Readonly<Record<string, Schema>> {
  const types = describedTypeNames(farm).map((type) => type.split('--'))
  const words = (place: 0 | 1) => [...new Set(types.map((type) => type[place]))]
  return {
    ApiFamily: inPath('family', { enum: words(0) }),
    ApiBundle: inPath('bundle', { enum: words(1) }),
  }
}

export const inPath = (name: string, schema: Schema): Schema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', ...schema },
})

/** The type of resources, as an address names it. */
export const typeInPath = [parameterRef('ApiFamily'), parameterRef('ApiBundle')]
export const uuidInPath = inPath('uuid', { format: 'uuid' })
export const relationshipInPath = inPath('relationship', {})

import type { Fields } from '../../../fields/field.ts'

const prefix = 'field_farm_'

/** The fields that clients of the older internal interface call otherwise than by that prefix and their name. */
const irregular: Readonly<Record<string, string>> = { field_farm_animal_tag: 'tag' }

/** The field's name as records show it, from the name that clients of the older internal interface use. */
export function presentName(name: string, fields: Fields): string {
  if (Object.hasOwn(fields, name) || !name.startsWith(prefix)) return name
  const stripped = name.slice(prefix.length)
  if (Object.hasOwn(fields, stripped)) return stripped
  const other = Object.hasOwn(irregular, name) ? irregular[name] : undefined
  return other !== undefined && Object.hasOwn(fields, other) ? other : name
}

import type { Farm } from '../../../farm/farm.ts'
import type { OlderField } from '../../../farm/older-fields.ts'
import { type Field, isMany } from '../../../fields/field.ts'
import { trimmedTextKey } from '../../../fields/key.ts'
import type { PropertyText } from '../../../formats/map/feature.ts'
import { joinedValues, separateValues } from '../sheets/cells/several.ts'
import type { MapImport } from './map-import.ts'

/** What a feature says of a field, and by which property. */
export interface Said {
  readonly property: string
  readonly text: PropertyText
}

/** What properties say of the fields of an area; what is empty says nothing. */
export function saidBy(
  properties: ReadonlyMap<string, PropertyText>,
  { sources }: Pick<MapImport, 'sources'>,
): ReadonlyMap<string, Said> {
  const said = new Map<string, Said>()
  for (const [field, names] of sources) {
    const property = names.find((name) => hasText(properties.get(name)))
    const text = property === undefined ? undefined : properties.get(property)
    if (property !== undefined && text !== undefined) said.set(field, { property, text })
  }
  return said
}

const hasText = (text: PropertyText | undefined): boolean => text !== undefined && plainText(text) !== ''

/** In one text, as maps show it that cannot say a list. */
export const plainText = (text: PropertyText): string => (typeof text === 'string' ? text : joinedValues(text)).trim()

/** Each of several values. */
export const textsIn = (text: PropertyText): readonly string[] =>
  (typeof text === 'string' ? separateValues(text) : text).filter((one) => one.trim() !== '')

/** What the same would be in JSON. */
export function treeValue({ field }: OlderField, text: PropertyText, farm: Farm): unknown {
  if (!isMany(field)) return oneValue(field, plainText(text), farm)
  return textsIn(text).map((one) => oneValue(field, one, farm))
}

function oneValue(field: Field, text: string, farm: Farm): unknown {
  switch (field.kind) {
    case 'choice':
      return wordFor(farm, field.list, text)
    case 'reference':
      return { name: text }
    case 'timestamp':
      return /^\d{4}-\d\d-\d\dT/.test(text) ? Math.floor(Date.parse(text) / 1000) || text : text
    case 'yes-no':
      return { yes: true, no: false }[text] ?? text
    default:
      return text
  }
}

/** A word of a list, also by its label. */
function wordFor(farm: Farm, list: string, text: string): string {
  const key = trimmedTextKey(text)
  const words = farm.lists[list] ?? []
  return words.find(({ value, label }) => [value, label].some((one) => trimmedTextKey(one) === key))?.value ?? text
}

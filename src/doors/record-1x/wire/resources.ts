import type { Bundle, Farm, RecordType } from '../../../farm/farm.ts'
import { olderWords, recordTypeNames } from '../../../farm/fields-of.ts'
import { asOlderFields } from '../../../farm/older-fields.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../../fields/field.ts'
import { richTextFormat } from '../../../fields/text.ts'
import type { Document } from './document.ts'

/** The catalogue as the info record describes it to clients that build their forms from it. */
export function resourcesOf(farm: Farm, vocabularies: ReadonlyMap<string, number>): Document {
  return Object.fromEntries(
    recordTypeNames.map((name) => [
      resourceNames[name],
      Object.fromEntries(
        Object.entries(farm.records[name].bundles).map(([bundleName, bundle]) => {
          const vid = name === 'term' ? { vid: String(vocabularies.get(bundleName)) } : {}
          return [bundleName, { ...bundleOf(farm, farm.records[name], bundle), ...vid }]
        }),
      ),
    ]),
  )
}

function bundleOf(farm: Farm, type: RecordType, { label, plural, fields }: Bundle): Document {
  const own = shownIn(fields)
  const written = own.filter(([, field]) => field.computed === undefined)
  const computed = own.filter(([, field]) => field.computed !== undefined)
  const standing = shownIn(type.properties)
  return {
    label,
    label_plural: plural,
    fields: described(farm, Object.fromEntries(written)),
    properties: described(farm, Object.fromEntries([...standing, ...computed])),
  }
}

/** Without what is shown only on request. */
const shownIn = (fields: Fields) => Object.entries(asOlderFields(fields)).filter(([, field]) => !field.onRequest)

const described = (farm: Farm, fields: Fields): Document =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describe(farm, field)]))

function describe(farm: Farm, field: Field): Document {
  const template = templateOf(field)
  return {
    label: field.label,
    type: typeOf(field),
    required: field.required ? 1 : 0,
    default_value: isMany(field) && (field.kind === 'reference' || field.kind === 'attachment') ? [] : null,
    data_schema: isMany(field) ? [template] : template,
    ...(field.kind === 'choice' ? { allowed_values: olderWords(farm, field.list) } : {}),
    ...(field.kind === 'part' ? { fields: described(farm, field.fields) } : {}),
    ...(field.computed || field.readOnly ? { read_only: 1 } : {}),
  }
}

const types: { readonly [K in FieldKind]: (field: FieldOf<K>) => string } = {
  text: () => 'text',
  'long-text': () => 'text_long',
  'rich-text': () => 'text_long',
  timestamp: () => 'datestamp',
  period: () => 'datestamp',
  'yes-no': () => 'list_boolean',
  whole: () => 'number_integer',
  decimal: () => 'number_decimal',
  choice: () => 'list_text',
  reference: (field) => (field.to === 'term' ? 'taxonomy_term_reference' : 'entityreference'),
  geometry: () => 'geofield',
  attachment: (field) => (field.accepts === 'image' ? 'image' : 'file'),
  part: () => 'field_collection',
}

const typeOf = <K extends FieldKind>(field: FieldOf<K>): string => types[field.kind as K](field)

/** What a client sends for one value, left empty. */
const templates: { readonly [K in FieldKind]: (field: FieldOf<K>) => unknown } = {
  text: () => '',
  'long-text': () => '',
  'rich-text': () => ({ value: '', format: richTextFormat }),
  timestamp: () => null,
  period: () => null,
  'yes-no': () => null,
  whole: () => null,
  decimal: () => null,
  choice: () => '',
  reference: () => ({ id: null }),
  geometry: (field) => (isMany(field) ? { geom: '' } : ''),
  attachment: () => ({ id: null }),
  part: (field) =>
    Object.fromEntries(
      Object.entries(field.fields).map(([name, own]) => [name, isMany(own) ? [templateOf(own)] : templateOf(own)]),
    ),
}

const templateOf = <K extends FieldKind>(field: FieldOf<K>): unknown => templates[field.kind as K](field)

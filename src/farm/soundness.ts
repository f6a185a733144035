import type { Field, Fields } from '../fields/field.ts'
import type { Farm } from './farm.ts'
import { fieldsOf, recordTypeNames } from './fields-of.ts'

/** What is wrong with a catalogue, in words for whoever wrote the module; an empty list when nothing is. */
export function faultsOfFarm(farm: Farm): readonly string[] {
  return recordTypeNames.flatMap((name) => {
    const type = farm.records[name]
    const kinds = new Map<string, string>()
    return Object.entries(type.bundles).flatMap(([bundleName, bundle]) => [
      ...faultsOfName(bundleName, name),
      ...faultsOfFields(farm, fieldsOf(type, bundle), `${name} ${bundleName}`),
      ...Object.entries(fieldsOf(type, bundle)).flatMap(([fieldName, field]) => {
        const spelled = `${field.kind}${'many' in field ? ', many' : ''}`
        const earlier = kinds.get(fieldName) ?? spelled
        kinds.set(fieldName, earlier)
        if (earlier === spelled) return []
        return [
          `${name} ${bundleName}: "${fieldName}" is ${spelled} here and ${earlier} in another type; choose another name`,
        ]
      }),
    ])
  })
}

function faultsOfFields(farm: Farm, fields: Fields, where: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...faultsOfName(name, where),
    ...faultsOfField(farm, field, `${where}.${name}`),
  ])
}

function faultsOfField(farm: Farm, field: Field, where: string): string[] {
  if (field.kind === 'part') return faultsOfFields(farm, field.fields, where)
  if (field.kind === 'choice' && farm.lists[field.list] === undefined)
    return [`${where}: there is no list "${field.list}"`]
  if (field.kind !== 'reference' || !Array.isArray(field.within)) return []
  const bundles = field.to === 'farm_asset' || field.to === 'taxonomy_term' ? farm.records[field.to].bundles : {}
  return field.within
    .filter((bundle) => bundles[bundle] === undefined)
    .map((bundle) => `${where}: there is no ${field.to} "${bundle}"`)
}

const faultsOfName = (name: string, where: string): string[] =>
  /^[a-z][a-z0-9_]{0,63}$/.test(name) ? [] : [`${where}: "${name}" must be lower case letters, digits and _`]

import type { Field, Fields } from '../../fields/field.ts'
import type { RefusalFault } from '../../refusal.ts'
import type { Bundle, Choice, Farm, RecordType, Vocabulary } from '../farm.ts'
import { faultsOfName, faultsOfText, givenTwice } from '../field-validation.ts'
import { allFieldsOf, fieldsOf, isOnlyNewer } from '../fields-of.ts'

/** Faults of a catalogue in its declarations for /api. Its types and fields are valid otherwise. */
export const faultsOfNewer = (farm: Farm): readonly RefusalFault[] => [
  ...Object.values(farm.records).flatMap((type: RecordType) => [
    ...faultsOfTypeNames(farm, type),
    ...Object.entries(type.bundles).flatMap(([name, bundle]) => faultsOfBundle(farm, type, [name, bundle])),
  ]),
  ...Object.entries(farm.lists).flatMap(([list, choices]) => faultsOfChoices(choices, `lists.${list}`)),
]

/** Member names with another meaning. */
const reserved: readonly string[] = ['id', 'type']

/** Several bundles can share a type in /api only if a field tells them apart. */
function faultsOfTypeNames(farm: Farm, type: RecordType): RefusalFault[] {
  const taken = new Map<string, { readonly by: string; readonly field: string | undefined }>()
  const kinds = Object.values(farm.records.term.bundles).flatMap(({ kinds: own = {} }: Vocabulary) => Object.keys(own))
  if (type.name === 'asset') for (const kind of kinds) taken.set(kind, { by: 'the areas', field: undefined })
  return Object.entries(type.bundles).flatMap(([bundleName, bundle]) => {
    if ('kinds' in bundle) return []
    const name = bundle.newer?.name ?? (type.name === 'asset' ? bundleName : bundleName.replace(/^farm_/, ''))
    const other = taken.get(name)
    const field = bundle.newer?.by?.field
    taken.set(name, { by: bundleName, field })
    if (other === undefined || (field !== undefined && other.field === field)) return []
    const message = `"${name}" is what the newer generation calls ${other.by}: say another with newer: { name: … }`
    return [{ field: `${type.name} ${bundleName}`, message }]
  })
}

function faultsOfBundle(farm: Farm, type: RecordType, [name, bundle]: readonly [string, Bundle]): RefusalFault[] {
  const at = `${type.name} ${name}`
  const fields = fieldsOf(type, bundle)
  const { newer } = bundle
  const by = newer?.by?.field
  return [
    ...faultsOfMark(bundle, at),
    ...(newer?.name === undefined ? [] : faultsOfName(newer.name, `${at}.newer.name`)),
    ...(newer?.label === undefined ? [] : faultsOfText(newer.label, `${at}.newer.label`)),
    ...(by === undefined || Object.hasOwn(fields, by) ? [] : noSuchField(`${at}.newer.by`, by, Object.keys(fields))),
    ...faultsOfMembers(fields, { farm, at, beside: [...allFieldsOf(type).keys()] }),
  ]
}

interface Spot {
  readonly farm: Farm
  readonly at: string
  /** Names of fields that a field may refer to. */
  readonly beside: readonly string[]
}

function faultsOfMembers(fields: Fields, spot: Spot): RefusalFault[] {
  const members = Object.entries(fields).filter(([, { newer, computed }]) => !newer?.joined && computed === undefined)
  const names = members.map(([own, { newer }]) => newer?.name ?? own)
  return [
    ...givenTwice(names).map((name) => ({
      field: spot.at,
      message: `two fields are called "${name}" in the newer generation: say another with newer: { name: … }`,
    })),
    ...Object.entries(fields).flatMap(([name, field]) => faultsOfField(field, { ...spot, at: `${spot.at}.${name}` })),
  ]
}

function faultsOfField(field: Field, { farm, at, beside }: Spot): RefusalFault[] {
  const { newer, cutTo, about } = field
  const also = field.kind === 'reference' ? field.also : undefined
  const named = newer?.name
  return [
    ...faultsOfMark(field, at),
    ...(named === undefined ? [] : faultsOfName(named, `${at}.newer.name`)),
    ...(named !== undefined && reserved.includes(named)
      ? [{ field: `${at}.newer.name`, message: `"${named}" means something else in the newer generation` }]
      : []),
    ...(newer?.label === undefined ? [] : faultsOfText(newer.label, `${at}.newer.label`)),
    ...(isOnlyNewer(field) && field.required
      ? [{ field: at, message: 'cannot be required and only newer: the record interface could make no such record' }]
      : []),
    ...(cutTo === undefined || isFieldOfLogs(farm, cutTo) || beside.includes(cutTo)
      ? []
      : noSuchField(`${at}.cutTo`, cutTo, beside)),
    ...(about === undefined || beside.includes(about) ? [] : noSuchField(`${at}.about`, about, beside)),
    ...(also === undefined || beside.includes(also) ? [] : noSuchField(`${at}.also`, also, beside)),
    ...(field.kind === 'part' ? faultsOfPart(field.fields, { farm, at, beside: Object.keys(field.fields) }) : []),
  ]
}

/** `cutTo` of a quantity can name a field of its log. */
const isFieldOfLogs = ({ records }: Farm, name: string): boolean => allFieldsOf(records.log).has(name)

function faultsOfPart(fields: Fields, spot: Spot): RefusalFault[] {
  const isEmptied = Object.values(fields).every(isOnlyNewer)
  return [
    ...(isEmptied ? [{ field: spot.at, message: 'has only fields that are only newer: say so of the part' }] : []),
    ...faultsOfMembers(fields, spot),
  ]
}

const faultsOfChoices = (choices: readonly Choice[], at: string): RefusalFault[] => [
  ...choices.flatMap((choice) => faultsOfMark(choice, `${at} "${choice.value}"`)),
  ...givenTwice(choices.map(({ value, newer }) => newer ?? value)).map((word) => ({
    field: at,
    message: `two words are "${word}" in the newer generation`,
  })),
]

const faultsOfMark = ({ only }: { readonly only?: unknown }, at: string): RefusalFault[] =>
  only === undefined || only === 'newer'
    ? []
    : [{ field: `${at}.only`, message: 'must be "newer"', allowed: ['newer'] }]

const noSuchField = (at: string, name: string, known: readonly string[]): RefusalFault[] => [
  { field: at, message: `there is no field "${name}" beside it`, allowed: known },
]

import type { RefusalFault } from '../refusal.ts'
import type { Bundle, Farm, RecordType } from './farm.ts'
import { faultsOfFields, faultsOfName, faultsOfText, givenTwice, shapeOf } from './field-validation.ts'
import { allTypeNames, fieldsOf } from './fields-of.ts'
import { withFreeNames } from './free-names.ts'
import { faultsOfNewer } from './newer/newer-validation.ts'
import { faultsOfPeople } from './people/people-validation.ts'
import { stockFarm } from './stock-farm.ts'

/** Faults of a catalogue, worded for the author of a module; empty if there are none. */
export function faultsOfFarm(farm: Farm): readonly RefusalFault[] {
  const faults = faultsOfTheRest(farm)
  return faults.length > 0 ? faults : faultsOfNewer(withFreeNames(farm))
}

function faultsOfTheRest(farm: Farm): readonly RefusalFault[] {
  return [
    ...allTypeNames.flatMap((name) => faultsOfType(farm, farm.records[name])),
    ...Object.entries(farm.records.term.bundles).flatMap(([name, { title, firstTerms = [] }]) => [
      ...faultsOfText(title, `term ${name}.title`),
      ...firstTerms.flatMap((term) => faultsOfText(term, `term ${name}.firstTerms`)),
    ]),
    ...faultsOfLists(farm),
    ...faultsOfPeople(farm),
    ...faultsOfInfo(farm),
  ]
}

function faultsOfType(farm: Farm, type: RecordType): RefusalFault[] {
  const shapes = new Map<string, { readonly shape: string; readonly bundle: string }>()
  return Object.entries(type.bundles).flatMap(([bundleName, bundle]) => {
    const at = `${type.name} ${bundleName}`
    const faults = faultsOfBundle(bundle, { farm, at, type })
    if (faults.length > 0) return [...faultsOfName(bundleName, type.name), ...faults]
    return [
      ...faultsOfName(bundleName, type.name),
      ...Object.entries(fieldsOf(type, bundle)).flatMap(([fieldName, field]) => {
        const shape = shapeOf(field)
        // One name can have different shapes in 1.x and in /api.
        const name = `${fieldName} ${field.only ?? ''}`
        const known = shapes.get(name) ?? { shape, bundle: bundleName }
        shapes.set(name, known)
        if (known.shape === shape) return []
        return [
          {
            field: `${at}.${fieldName}`,
            message: `is a ${shape} here and a ${known.shape} in ${known.bundle}: choose another name`,
          },
        ]
      }),
    ]
  })
}

interface BundleSpot {
  readonly farm: Farm
  readonly at: string
  readonly type: RecordType
}

function faultsOfBundle(bundle: Bundle, { farm, at, type }: BundleSpot): RefusalFault[] {
  if (typeof bundle?.fields !== 'object' || bundle.fields === null) {
    return [{ field: at, message: 'must have a label, a plural and fields' }]
  }
  // A field that the type has in /api only may be redefined by a bundle for both.
  const shadowing = Object.keys(bundle.fields).filter(
    (name) => Object.hasOwn(type.properties, name) && type.properties[name]?.only === undefined,
  )
  return [
    ...faultsOfText(bundle.label, `${at}.label`),
    ...faultsOfText(bundle.plural, `${at}.plural`),
    ...shadowing.map((name) => ({ field: at, message: `every ${type.name} has "${name}" already` })),
    ...faultsOfFields(bundle.fields, { farm, at, computable }),
  ]
}

/** Computed fields with a rule in `history/`, by name. */
const computable = allTypeNames.flatMap((name) =>
  Object.values(stockFarm.records[name].bundles).flatMap((bundle) =>
    Object.entries(bundle.fields).flatMap(([field, { computed }]) => (computed === undefined ? [] : [field])),
  ),
)

const faultsOfLists = (farm: Farm): RefusalFault[] =>
  Object.entries(farm.lists).flatMap(([list, choices]) => {
    const values = choices.map(({ value }) => value)
    return [
      ...faultsOfName(list, 'lists'),
      ...givenTwice(values).map((value) => ({ field: `lists.${list}`, message: `has "${value}" twice` })),
      ...choices.flatMap(({ value, label }) => [
        ...faultsOfText(value, `lists.${list}`),
        ...faultsOfText(label, `lists.${list} "${value}"`),
      ]),
    ]
  })

/** Names that the info record uses itself (spec 2.6). */
const ownInfo = ['name', 'url', 'api_version', 'user', 'languages', 'metrics', 'system_of_measurement', 'resources']

const faultsOfInfo = (farm: Farm): RefusalFault[] =>
  Object.entries(farm.info).flatMap(([name, value]) => [
    ...faultsOfName(name, 'info'),
    ...(ownInfo.includes(name) ? [{ field: 'info', message: `the farm itself says "${name}"` }] : []),
    ...(isJson(value) ? [] : [{ field: `info.${name}`, message: 'must be a value that JSON can write' }]),
  ])

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

import type { Bundle, Farm, RecordType } from './farm.ts'
import { once, recordTypeNames } from './fields-of.ts'
import { isOnlyNewer } from './older-fields.ts'

/** The bundles that there are records of, each behind its type: `asset seed`. */
export type PresentBundles = ReadonlySet<string>

const none: PresentBundles = new Set()

/** The farm as the record interface (1.x) has it: what only the newer generation has is there from its first record on. */
export function olderFarm(farm: Farm, present: PresentBundles = none): Farm {
  const shown = onlyNewerBundles(farm).filter((name) => present.has(name))
  const known = knownForms(farm)
  const form = known.get(shown.join()) ?? withBundles(farm, new Set(shown))
  known.set(shown.join(), form)
  return form
}

/** The same farm with the same records has one form, so that whatever is derived from that is derived once. */
const knownForms = once((_farm: Farm) => new Map<string, Farm>())

const onlyNewerBundles = once((farm: Farm): readonly string[] =>
  recordTypeNames.flatMap((type) =>
    Object.entries(farm.records[type].bundles).flatMap(([name, bundle]) =>
      isOnlyNewer(bundle) ? [`${type} ${name}`] : [],
    ),
  ),
)

function withBundles(farm: Farm, shown: PresentBundles): Farm {
  const { log, asset, term, ...others } = farm.records
  const records = { log: shorter(log, shown), asset: shorter(asset, shown), term: shorter(term, shown), ...others }
  return { ...farm, records }
}

const shorter = <B extends Bundle>(type: RecordType<B>, shown: PresentBundles): RecordType<B> => ({
  ...type,
  bundles: Object.fromEntries(
    Object.entries(type.bundles).filter(([name, bundle]) => !isOnlyNewer(bundle) || shown.has(`${type.name} ${name}`)),
  ),
})

import type { CatalogueBundle } from '../../src/doors/app/documents.ts'
import { activityBundle, logPictures } from '../../src/farm/bundle-names.ts'
import { assets, catalogue, people, terms } from '../store/local-copy.ts'
import {
  areasNamedIn,
  idsIn,
  type LocalRecord,
  type LocalRecordType,
  partsIn,
  type RecordFields,
  timeOf,
  typeOnTheWire,
} from '../store/record.ts'
import { membersOf } from '../store/stays.ts'
import { say } from '../words/say.ts'

/** Bundle in the catalogue; undefined if no module describes it any more. */
export function bundleOf({ type, bundle }: Pick<LocalRecord, 'type' | 'bundle'>): CatalogueBundle | undefined {
  return catalogue.value?.types[typeOnTheWire[type]][bundle]
}

/** Label of a bundle. */
export function labelOf({ type, bundle }: Pick<LocalRecord, 'type' | 'bundle'>): string {
  return bundleOf({ type, bundle })?.label ?? bundle
}

/** Bundles of a record type, with plural labels. */
export function bundlesOf(type: LocalRecordType): readonly { readonly bundle: string; readonly plural: string }[] {
  const types = catalogue.value?.types[typeOnTheWire[type]] ?? {}
  return Object.entries(types)
    .map(([bundle, { plural }]) => ({ bundle, plural }))
    .sort((one, other) => one.plural.localeCompare(other.plural))
}

/** Label of a choice: "review" of the flags is "Needs Review". */
export function choiceLabel(list: string, value: string): string {
  return catalogue.value?.lists[list]?.find((choice) => choice.value === value)?.label ?? value
}

export function flagsOf({ fields }: LocalRecord): readonly string[] {
  const { flags } = fields
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string') : []
}

const shownNames = 2

/** Places of a log, else its assets: "North 3, Hill 1". */
export function aboutOf(log: LocalRecord): string {
  return placesIn(log) || shortList(subjectsOf(log))
}

/** "North 3, Hill 1" */
export const placesIn = (log: LocalRecord): string => shortList(namesOf(terms.value, areasNamedIn(log)))

/** Names of the assets of a log; the members of a herd that it names go without saying. */
export function subjectsOf(log: LocalRecord): readonly string[] {
  const ids = idsIn(log.fields.asset)
  const members = new Set(ids.flatMap((id) => membersOf(id, timeOf(log)).map(({ asset }) => asset)))
  return namesOf(
    assets.value,
    ids.filter((id) => !members.has(id)),
  )
}

/** What a log says beside its name: "18.5 kg · Bed 3 · lot 12", "Milkers → North 3". The type only if no icon shows it. */
export function summaryOf(log: LocalRecord): string {
  const { bundle, fields, name } = log
  const type = bundle in logPictures || bundle === activityBundle ? '' : labelOf(log)
  const unnamed = (names: readonly string[]) => shortList(names.filter((one) => !name.includes(one)))
  const [who, where] = [unnamed(subjectsOf(log)), unnamed(namesOf(terms.value, areasNamedIn(log)))]
  const isMove = partsIn(fields.movement).some(({ area }) => idsIn(area).length > 0)
  const { lot_number: lot } = fields
  return dotted([
    name.includes(type) ? '' : type,
    amountsIn(log),
    isMove && who && where ? `${who} → ${where}` : where || who,
    typeof lot === 'string' ? say('shell.lot', { lot }) : '',
  ])
}

const namesOf = (records: ReadonlyMap<string, LocalRecord>, ids: readonly string[]): readonly string[] =>
  ids.flatMap((id) => records.get(id)?.name ?? [])

/** "Rosa, Bella +3" */
export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(', ')
  return names.length > shownNames ? `${shown} +${names.length - shownNames}` : shown
}

/** Quantities of a log in one line: "15 kg, 3 crates". Doses of each, and days withheld, are on its page. */
export function amountsIn({ fields }: LocalRecord): string {
  const told = partsIn(fields.quantity).filter(({ label }) => !/^(per head|withhold |no entry)/.test(String(label)))
  return told.map(amountIn).filter(Boolean).join(', ')
}

/** "15 kg", as recorded. */
export function amountIn({ value, unit }: RecordFields): string {
  const { name = '' } = (unit ?? {}) as { name?: string }
  return [value, name].filter(Boolean).join(' ')
}

/** Names of a log's owners. */
export function ownersOf({ fields }: LocalRecord): readonly string[] {
  return idsIn(fields.log_owner).map((id) => people.value.get(id) ?? '')
}

export const byName = (one: string, other: string): number => one.localeCompare(other, undefined, { numeric: true })

/** Joins non-empty parts with a middle dot. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

import type { CatalogueBundle } from '../../src/doors/app/documents.ts'
import { assets, catalogue, people, terms } from '../store/local-copy.ts'
import {
  areasNamedIn,
  idsIn,
  type LocalRecord,
  type LocalRecordType,
  partsIn,
  type RecordFields,
  typeOnTheWire,
} from '../store/record.ts'

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
  return namesOf(terms.value, areasNamedIn(log)) || namesOf(assets.value, idsIn(log.fields.asset))
}

/** What a log says, in one line: "18.5 kg · Bed 3", "Milkers → North 3". The type only if the name lacks it. */
export function summaryOf(log: LocalRecord): string {
  const type = labelOf(log)
  const isMove = partsIn(log.fields.movement).some(({ area }) => idsIn(area).length > 0)
  return dotted([
    log.name.includes(type) ? '' : type,
    amountsIn(log),
    isMove ? `${namesOf(assets.value, idsIn(log.fields.asset))} → ${aboutOf(log)}` : aboutOf(log),
  ])
}

function namesOf(records: ReadonlyMap<string, LocalRecord>, ids: readonly string[]): string {
  const known = ids.flatMap((id) => records.get(id)?.name ?? [])
  const more = known.length - shownNames
  return known.slice(0, shownNames).join(', ') + (more > 0 ? ` +${more}` : '')
}

/** Quantities of a log in one line: "15 kg, 3 crates". */
export function amountsIn({ fields }: LocalRecord): string {
  return partsIn(fields.quantity).map(amountIn).filter(Boolean).join(', ')
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

/** Joins non-empty parts with a middle dot. */
export function dotted(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

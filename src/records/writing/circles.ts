import type { RecordTypeName } from '../../farm/farm.ts'
import { membership } from '../../farm/parts/membership.ts'
import { insideItself } from '../../history/implications.ts'
import { assetsOf, isDone, membershipOf, momentOf } from '../../history/log-parts.ts'
import { currentGroups } from '../../history/membership.ts'
import type { Transaction } from '../../storage/database.ts'
import { inThePast } from '../../storage/history/point-in-time.ts'
import { bundlesOfLocked } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { holdAlone } from '../../storage/sql/advisory-locks.ts'
import { isAboveItself, parentFields, parentsOfBothTypes } from '../ancestry.ts'
import type { RecordDraft } from './draft.ts'

/** A term cannot stand above itself, nor can an asset descend from itself. What is written back as it was is not judged. */
export async function refuseOwnAncestor(
  tx: Transaction,
  draft: RecordDraft,
  { before, after }: { readonly before: StoredRecord; readonly after: StoredRecord },
): Promise<void> {
  const said = ({ values }: StoredRecord, field: string) => JSON.stringify(values[field] ?? [])
  const given = parentFields.find(
    ({ of, field }) => of === after.type && draft.given.has(field) && said(before, field) !== said(after, field),
  )
  if (given !== undefined && (await isOwnAncestor(tx, after))) draft.placeOf(given.field).fault(aboveItself(after.type))
}

export const aboveItself = (type: RecordTypeName): string =>
  type === 'term' ? 'would put the term below itself' : 'would make the asset its own ancestor'

export async function isOwnAncestor(tx: Transaction, record: StoredRecord): Promise<boolean> {
  if (parentsOfBothTypes(record).length === 0) return false
  // Two records that are put below each other at the same time would each find nothing wrong.
  await holdAlone(tx, 'ancestry')
  return isAboveItself(tx, record)
}

/**
 * A group cannot be a member of itself, also over other groups, from the time of the log on. Asked once the log is kept, so that
 * what it says counts, and what it said before does not.
 */
export async function refuseOwnMember(tx: Transaction, log: StoredRecord): Promise<void> {
  if (log.type !== 'log' || !isDone(log.values)) return
  const joined = membershipOf(log.values) ?? []
  if (joined.length === 0) return
  const joining = new Set(await groupsAmong(tx, assetsOf(log.values)))
  if (joining.size === 0) return
  await holdAlone(tx, 'ancestry')
  const seen = new Set<number>()
  let level = joined
  while (level.length > 0) {
    for (const group of level) {
      if (joining.has(group))
        throw insideItself('membership', { type: 'asset', id: group }, { type: 'asset', id: group })
      seen.add(group)
    }
    const above = await currentGroups(tx, level, inThePast(momentOf(log.values)))
    level = [...new Set([...above.values()].flat())].filter((group) => !seen.has(group))
  }
}

async function groupsAmong(tx: Transaction, assets: readonly number[]): Promise<readonly number[]> {
  const { within } = membership.fields.group
  const bundles = await bundlesOfLocked(tx, 'asset', assets)
  return [...bundles].flatMap(([id, bundle]) => (within?.includes(bundle) ? [id] : []))
}

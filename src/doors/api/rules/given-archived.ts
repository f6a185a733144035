import { archivedSince } from './archived.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'

/**
 * `status` and `archived` are two faces of one time. Sent together and at odds, `status` decides for a new record; of one that
 * is there, whichever changes something, else `status`. `last_archived` says no more than when.
 */
export function archivedDrafts(given: Given): FieldDrafts {
  const { before } = given
  const since = archivedSince(before)
  const last = draftGiven(given, 'last archived')
  const when = typeof last === 'number' ? last : since || given.now
  const byStatus = sinceByStatus(given, when)
  const archived = given.members.has('archived') ? draftGiven(given, 'archived') : undefined
  const byArchived = given.members.has('archived') ? sinceByArchived(archived, when) : undefined
  if (byStatus === undefined && byArchived === undefined) {
    return drafts(since === 0 ? 0 : when, before.archived_yes_no === true)
  }
  if (byArchived === undefined || (byStatus !== undefined && decidesStatus(given, { since, byStatus, byArchived }))) {
    return drafts(byStatus ?? 0, false)
  }
  return drafts(byArchived, typeof archived === 'boolean')
}

const drafts = (since: number, saidAsYesNo: boolean): FieldDrafts => ({
  archived: since === 0 ? undefined : since,
  archived_yes_no: saidAsYesNo ? true : undefined,
})

const sinceByStatus = (given: Given, when: number): number | undefined => {
  if (!given.members.has('asset status')) return undefined
  return draftGiven(given, 'asset status') === 'archived' ? when : 0
}

function sinceByArchived(archived: ReturnType<typeof draftGiven>, when: number): number {
  if (archived === true) return when
  return typeof archived === 'number' ? archived : 0
}

interface Sayings {
  readonly since: number
  readonly byStatus: number
  readonly byArchived: number
}

function decidesStatus(given: Given, { since, byStatus, byArchived }: Sayings): boolean {
  const isOver = (time: number) => time === 0
  if (isOver(byStatus) === isOver(byArchived)) return false
  return isNew(given) || isOver(byStatus) !== isOver(since)
}

const isNew = ({ before }: Given): boolean => Object.keys(before).length === 0

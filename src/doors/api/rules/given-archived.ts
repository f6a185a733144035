import { archivedSince } from './archived.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'

/**
 * `status` and `archived` are two faces of one time. Sent together and at odds, `status` decides for a new record; of one that
 * is there, whichever changes something, else `status`.
 */
export function archivedDrafts(given: Given): FieldDrafts {
  const { before, now, members } = given
  const since = archivedSince(before)
  const status = members.has('asset status') ? draftGiven(given, 'asset status') === 'archived' : undefined
  const archived = members.has('archived') ? draftGiven(given, 'archived') : absent
  const last = draftGiven(given, 'last archived')
  const times = { since, now: typeof last === 'number' ? last : now }
  const byTime = archived === absent ? undefined : timeOf(archived, times)
  const byStatus = status === undefined ? undefined : status ? (since === 0 ? times.now : since) : 0
  const isYesNo = typeof archived === 'boolean'
  const decidesStatus =
    byStatus !== undefined && (byTime === undefined || isNew(given) || !(byTime !== since && byStatus === since))
  if (byStatus !== undefined && decidesStatus) {
    // A time that agrees is kept.
    const time = byStatus !== 0 && byTime !== undefined && byTime !== 0 ? byTime : byStatus
    return { archived: time === 0 ? undefined : time, archived_yes_no: undefined }
  }
  return {
    archived: byTime === undefined || byTime === 0 ? undefined : byTime,
    archived_yes_no: isYesNo ? true : undefined,
  }
}

const absent = Symbol('not sent')

const isNew = ({ before }: Given): boolean => Object.keys(before).length === 0

interface Times {
  readonly since: number
  readonly now: number
}

/** A yes keeps the time that there is. */
function timeOf(archived: ReturnType<typeof draftGiven>, { since, now }: Times): number {
  if (archived === true) return since === 0 ? now : since
  return typeof archived === 'number' ? archived : 0
}

import { isDeepStrictEqual } from 'node:util'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { changesSince } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'

/** Refuses to touch a record that has changed since the caller saw it, and tells what has. */
export async function refuseIfChanged(
  snapshot: Snapshot,
  record: StoredRecord,
  seen: readonly number[] | undefined,
): Promise<void> {
  if (seen === undefined || seen.includes(record.revision)) return
  if (seen.length === 0) throw alreadyThere(record)
  const lastSeen = Math.max(0, ...seen)
  if (lastSeen === 0 || lastSeen > record.revision) throw neverSeen(record)
  const changes = await changesSince(snapshot, record, lastSeen)
  const faults = changes.flatMap(({ before, after, at, uid }): RefusalFault[] => {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
    return changed.map((field) => ({ field, message: `was changed by user ${uid} at ${at}` }))
  })
  const what = [...new Set(faults.map(({ field }) => field))].join(', ') || 'it'
  throw new Refusal(
    'precondition-failed',
    `${record.type} ${record.id} has changed since you read it (${what}). Read it again and repeat your change.`,
    { faults },
  )
}

/** A tag of something else, or of the farm before it was put back to an older state: what has changed since, nobody can tell. */
const neverSeen = ({ type, id }: StoredRecord): Refusal =>
  new Refusal(
    'precondition-failed',
    `${type} ${id} does not have the tag in If-Match. Read it again and repeat your change with its own.`,
  )

const alreadyThere = ({ type, id }: StoredRecord): Refusal =>
  new Refusal(
    'precondition-failed',
    `${type} ${id} is there, and with If-None-Match: * you asked that it is not. Leave the header out to change it.`,
  )

/** A revision of a record of one farm. The same number means another record's past in a farm that took its place. */
export const versionOf = (revision: number, edition: string): string => `${revision}.${edition}`

/** No record ever has it. */
const noRevision = 0

/** The revision of this farm that a version names, alone or at the beginning of a tag; one that no record has where it is of another farm. */
function revisionIn(version: string, edition: string): number {
  const [, revision, seen] = /^(\d{1,15})\.([\w-]+)(?:\.|$)/.exec(version) ?? []
  return seen === edition ? Number(revision) : noRevision
}

export const matchForm = 'the ETag of a record as it was read, in its quotes, or its version, or *'

/** Tags and versions with commas between, or a star. A version is taken with quotes and without. */
export const isMatch = (match: string): boolean =>
  match.trim() === '*' || match.split(',').every((one) => /^(?:(?:W\/)?"[^"]*"|\d{1,15}\.[\w-]+)$/.test(one.trim()))

/** The revisions that it names; undefined where any will do. */
export const revisionsNamed = (match: string, edition: string): readonly number[] | undefined =>
  match.trim() === '*'
    ? undefined
    : match.split(',').map((one) => revisionIn(one.trim().replace(/^(?:W\/)?"|"$/g, ''), edition))

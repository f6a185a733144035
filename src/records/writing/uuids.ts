import { randomUUID } from 'node:crypto'
import type { Draft } from '../../fields/value.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import type { RecordDraft } from './draft.ts'

/** What the UUIDs in drafts stand for; those that stand for nothing are missing. */
export type NamedByUuid = ReadonlyMap<string, Identity>

/** Looked up for all drafts together. */
export async function namedByUuid(
  snapshot: Snapshot,
  drafts: readonly Pick<RecordDraft, 'drafts' | 'computed'>[],
): Promise<NamedByUuid> {
  const uuids = new Set<string>()
  for (const { drafts: asked, computed } of drafts) {
    for (const name in asked) collect(uuids, asked[name])
    for (const name in computed) collect(uuids, computed[name])
  }
  return identitiesOf(snapshot, [...uuids])
}

function collect(uuids: Set<string>, draft: Draft | undefined): void {
  if (typeof draft !== 'object') return
  if (Array.isArray(draft)) for (const one of draft) collect(uuids, one)
  else if ('part' in draft) for (const name in draft.part) collect(uuids, draft.part[name])
  else if (('ref' in draft && draft.ref === 'uuid') || ('file' in draft && draft.file === 'uuid')) uuids.add(draft.uuid)
}

/** The number of what has this UUID; where nothing has it, what no number is equal to. */
export const numberUnder = (named: NamedByUuid, uuid: string): number | string => named.get(uuid)?.number ?? uuid

let second = 0
let count = 0

/**
 * A UUID for a record that is made now: the time, a count within the second, and 48 random bits. In order of time, so that the index of all
 * of them grows at its end instead of everywhere. Its version digit is 4: clients of the newer generation refuse all above 5.
 */
export function newUuid(now: number): string {
  count = now === second ? count + 1 : 0
  second = now
  const time = (now * 1000).toString(16).padStart(12, '0')
  const high = ((count >> 14) & 0xfff).toString(16).padStart(3, '0')
  const low = (0x8000 | (count & 0x3fff)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-4${high}-${low}-${randomUUID().slice(24)}`
}

import type { TrashView } from '../../../access/caller.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { identityWords } from '../../../farm/query-words.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import type { FeedChange } from '../../../records/feed.ts'
import { versionOf } from '../../../records/writing/if-match.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { FarmState } from '../../../storage/farm-state.ts'
import type { RecordNow } from '../../../storage/feed/records-now.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { must } from '../../../storage/must.ts'
import type { Documents } from '../wire/documents.ts'
import type { Pieces } from './pieces.ts'

/** How records are shown beside their changes. */
export interface Showing {
  readonly documents: Documents
  readonly base: string
  readonly state: FarmState
  readonly now: number
  /** When the records shown take so much, the answer ends. */
  readonly enoughBytes: number
}

/** The records of changes as lists show them. */
export type ShownRecords = ReadonlyMap<RecordNow, Buffer>

/** A reference takes a few characters where it is stored, and some hundred where it is shown: looked up together, no more than this. */
const mostStoredCharacters = mebibyte

/** The records of these changes as they are now; once they take enough, those of the first ones. */
export async function recordsShown(
  snapshot: Snapshot,
  changes: readonly FeedChange[],
  showing: Showing,
): Promise<{ readonly shown: ShownRecords; readonly count: number }> {
  const shown = new Map<RecordNow, Buffer>()
  let bytes = 0
  let count = 0
  while (count < changes.length && bytes < showing.enoughBytes) {
    const some = together(changes, count)
    for (const { now, json } of await recordsOf(snapshot, some, showing)) {
      bytes += json.length
      shown.set(now, json)
    }
    count += some.length
  }
  return { shown, count }
}

function together(changes: readonly FeedChange[], from: number): readonly FeedChange[] {
  let characters = 0
  let to = from
  while (to < changes.length && (to === from || characters < mostStoredCharacters)) {
    characters += must(changes[to]).now.size
    to += 1
  }
  return changes.slice(from, to)
}

interface ShownRecord {
  readonly now: RecordNow
  readonly json: Buffer
}

async function recordsOf(
  snapshot: Snapshot,
  changes: readonly FeedChange[],
  { documents, base, state, now }: Showing,
): Promise<readonly ShownRecord[]> {
  const byType = new Map<RecordTypeName, FeedChange[]>()
  for (const change of changes) {
    if (!change.now.isThere || !isShown(change.entry.type)) continue
    const those = byType.get(change.entry.type)
    if (those === undefined) byType.set(change.entry.type, [change])
    else those.push(change)
  }
  const records: ShownRecord[] = []
  for (const [type, those] of byType) {
    const viewing = { type, base, extras: { with: identityWords, files: 'link' }, computed: 'left out' } as const
    const ids = those.map(({ entry }) => entry.id)
    const listed = await documents.listed(snapshot, ids, { viewing, time: atPresent(now), state, format: 'json' })
    for (const [index, change] of those.entries()) records.push({ now: change.now, json: must(listed[index]) })
  }
  return records
}

/** The record interface does not have the others. */
const isShown = (type: RecordTypeName): boolean => recordTypeNames.some((name) => name === type)

/** One change as JSON; what is put into it needs no escaping. */
export function spellChange(pieces: Pieces, { entry, now, verb }: FeedChange, { state, shown, trash }: Spelling): void {
  const identity = `"uuid":${quoted(now.uuid)},"version":"${versionOf(now.revision, state.edition)}"`
  const record = shown.get(now)
  const isWithheld = !now.isThere && trash === 'withheld'
  pieces.write(
    `{"type":"${resourceNames[entry.type]}","id":"${entry.id}",${identity},"verb":"${verb}",` +
      `"at":"${entry.at}","uid":${isWithheld ? null : `"${entry.uid}"`},"set":${isWithheld ? null : quoted(entry.set_id)}`,
  )
  if (record !== undefined) {
    pieces.write(',"record":')
    pieces.put(record)
  }
  pieces.write('}')
}

export interface Spelling {
  readonly state: FarmState
  readonly shown: ShownRecords
  readonly trash: TrashView
}

const quoted = (word: string | null): string => (word === null ? 'null' : `"${word}"`)

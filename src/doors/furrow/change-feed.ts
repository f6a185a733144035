import type { FastifyRequest } from 'fastify'
import type { TrashView } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { allTypeNames, recordTypeNames } from '../../farm/fields-of.ts'
import { identityWords } from '../../farm/query-words.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { cursorIn, type FeedChange, type FeedRequest } from '../../records/feed.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { versionOf } from '../../records/writing/draft.ts'
import type { Snapshot } from '../../storage/database.ts'
import { atPresent, type FarmState } from '../../storage/farm-state.ts'
import type { RecordNow } from '../../storage/feed/records-now.ts'
import { must } from '../../storage/sql/fragment.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import { parameter } from '../../wire-1x/list-query.ts'

export interface FeedQuery extends FeedRequest {
  readonly records: 'shown' | 'left out'
}

export const mostChanges = 1_000

const words: readonly string[] = ['since', 'limit', 'type', 'records']

export function feedQueryIn(request: FastifyRequest): FeedQuery {
  const entries = readQuery(request.url)
  const strange = entries.find(({ name, brackets }) => !words.includes(name) || brackets.length > 0)
  if (strange !== undefined) throw badQuery(strange.name, 'is nothing that the feed can be asked for', words)
  const since = parameter(entries, 'since')
  return {
    since: since === undefined ? 'newest' : cursorIn(since),
    type: typeIn(entries),
    limit: limitIn(entries),
    records: recordsIn(entries),
  }
}

function typeIn(entries: readonly QueryEntry[]): FeedQuery['type'] {
  const given = parameter(entries, 'type')
  if (given === undefined) return undefined
  const type = allTypeNames.find((name) => resourceNames[name] === given)
  const allowed = recordTypeNames.map((name) => resourceNames[name])
  if (type === undefined) throw badQuery('type', `there are no changes of ${JSON.stringify(given)}`, allowed)
  return type
}

function limitIn(entries: readonly QueryEntry[]): number {
  const given = parameter(entries, 'limit')
  if (given === undefined) return mostChanges
  const limit = wholeNumber(given)
  if (limit !== undefined && limit >= 1 && limit <= mostChanges) return limit
  throw badQuery('limit', `must be a whole number from 1 to ${mostChanges}, not ${JSON.stringify(given)}`)
}

function recordsIn(entries: readonly QueryEntry[]): FeedQuery['records'] {
  const given = parameter(entries, 'records') ?? '1'
  if (given !== '0' && given !== '1') throw badQuery('records', 'must be 0 or 1', ['0', '1'])
  return given === '0' ? 'left out' : 'shown'
}

interface RecordDisplay {
  readonly documents: DocumentCache
  readonly base: string
  readonly state: FarmState
  readonly now: number
  /** The answer ends once the records take this many bytes. */
  readonly enoughBytes: number
}

/** Records of changes, as lists show them. */
export type RecordsOfChanges = ReadonlyMap<RecordNow, Buffer>

/** A short stored reference takes some hundred characters when shown. This limits the stored text per lookup. */
const mostStoredCharacters = mebibyte

/** The current records of these changes, until the byte limit is reached. */
export async function recordsShown(
  snapshot: Snapshot,
  changes: readonly FeedChange[],
  showing: RecordDisplay,
): Promise<{ readonly shown: RecordsOfChanges; readonly count: number }> {
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

interface RecordOfChange {
  readonly now: RecordNow
  readonly json: Buffer
}

async function recordsOf(
  snapshot: Snapshot,
  changes: readonly FeedChange[],
  { documents, base, state, now }: RecordDisplay,
): Promise<readonly RecordOfChange[]> {
  const byType = new Map<RecordTypeName, FeedChange[]>()
  for (const change of changes) {
    if (!change.now.isThere || !isShown(change.entry.type)) continue
    const those = byType.get(change.entry.type)
    if (those === undefined) byType.set(change.entry.type, [change])
    else those.push(change)
  }
  const records: RecordOfChange[] = []
  for (const [type, those] of byType) {
    const viewing = { type, base, extras: { with: identityWords, files: 'link' }, computed: 'left out' } as const
    const ids = those.map(({ entry }) => entry.id)
    const listed = await documents.listed(snapshot, ids, { viewing, time: atPresent(now), state, format: 'json' })
    for (const [index, change] of those.entries()) records.push({ now: change.now, json: must(listed[index]) })
  }
  return records
}

/** Types of 1.x. */
const isShown = (type: RecordTypeName): boolean => recordTypeNames.some((name) => name === type)

/** One change as JSON. None of its values needs escaping. */
export function spellChange(
  pieces: Pieces,
  { entry, now, verb }: FeedChange,
  { state, shown, trash }: ChangeSpelling,
): void {
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

interface ChangeSpelling {
  readonly state: FarmState
  readonly shown: RecordsOfChanges
  readonly trash: TrashView
}

const quoted = (word: string | null): string => (word === null ? 'null' : `"${word}"`)

/** An answer made of texts and of bytes already encoded. Adjacent texts are encoded at once. */
export class Pieces {
  readonly #bytes: Buffer[] = []
  #text = ''

  write(text: string): void {
    this.#text += text
  }

  put(bytes: Buffer): void {
    this.#bytes.push(Buffer.from(this.#text), bytes)
    this.#text = ''
  }

  joined(): Buffer {
    this.#bytes.push(Buffer.from(this.#text))
    this.#text = ''
    return Buffer.concat(this.#bytes)
  }
}

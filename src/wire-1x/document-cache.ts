import { resourceNames } from '../farm/resource-names.ts'
import { kibibyte, mebibyte } from '../fields/byte-size.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { type FarmState, isPresent, type PointInTime, wordOf } from '../storage/farm-state.ts'
import { SnapshotCache } from '../storage/snapshot-cache.ts'
import { documentsOf, type RecordView } from './record-documents.ts'
import { Templates } from './record-template.ts'
import { type AnswerFormat, itemIn } from './spelling.ts'

/** More than this is not kept of one way of viewing, and no larger document: those are photos and coastlines. */
const mostBytes = 4 * mebibyte
const largest = 64 * kibibyte
const mostViews = 8

interface DocumentRequest {
  readonly viewing: RecordView
  readonly time: PointInTime
  /** The state of the farm, as the snapshot says that is read from. */
  readonly state: FarmState
  readonly format: AnswerFormat
  /** Revisions of the records, if the snapshot was already asked for them. */
  readonly revisions?: ReadonlyMap<number, number>
}

/**
 * The documents of records. What was shown before is shown again for as long as the snapshot that is read from says that
 * the farm is in the same state: then no record can read differently, whoever changes what, and where.
 */
export class DocumentCache {
  readonly #installation: Records
  #templates: Templates
  #edition = ''
  #latest = ''
  readonly #shown = new Map<string, SnapshotCache<number, Buffer>>()

  constructor(installation: Records) {
    this.#installation = installation
    this.#templates = new Templates(installation)
  }

  /** Existing records in the given order, each as an item of a list. */
  async listed(snapshot: Snapshot, ids: readonly number[], moment: DocumentRequest): Promise<readonly Buffer[]> {
    this.#keepTo(moment.state)
    const word = wordOf(moment.state)
    const cache = this.#cacheOf(moment)
    const known = cache.knownIn(word)
    const before = picked(ids, known, none)
    if (before.length === ids.length) return before
    const missing = ids.filter((id) => !known.has(id))
    const documents = await documentsOf(snapshot, missing, {
      ...moment,
      installation: this.#installation,
      templates: this.#templates,
    })
    const form = { format: moment.format, item: resourceNames[moment.viewing.type] }
    const made = new Map([...documents].map(([id, json]) => [id, itemIn(form, json)]))
    const shown = picked(ids, known, made)
    for (const [id, value] of made) {
      if (value.length <= largest) cache.keep(word, id, { value, weight: value.length })
    }
    return shown
  }

  /** Another farm has other records under the same numbers. */
  #keepTo({ edition }: FarmState): void {
    if (edition === this.#edition) return
    this.#edition = edition
    this.#templates = new Templates(this.#installation)
    this.#shown.clear()
  }

  /** Reads of the past evict only each other, never current documents. */
  #cacheOf({ viewing, format, time }: DocumentRequest): SnapshotCache<number, Buffer> {
    const { type, base, extras, computed = 'shown' } = viewing
    const asOf = isPresent(time) ? '' : time.second
    const view = `${type} ${base} ${format} ${extras.files} ${extras.with.join()} ${computed} ${asOf}`
    const known = this.#shown.get(view)
    if (known !== undefined && view === this.#latest) return known
    this.#latest = view
    const cache = known ?? new SnapshotCache<number, Buffer>(mostBytes)
    this.#shown.delete(view)
    this.#shown.set(view, cache)
    const [oldest] = this.#shown.keys()
    if (this.#shown.size > mostViews && oldest !== undefined) this.#shown.delete(oldest)
    return cache
  }
}

type ById = ReadonlyMap<number, Buffer>

const none: ById = new Map()

function picked(ids: readonly number[], known: ById, made: ById): Buffer[] {
  const documents: Buffer[] = []
  for (const id of ids) {
    const json = known.get(id) ?? made.get(id)
    if (json !== undefined) documents.push(json)
  }
  return documents
}

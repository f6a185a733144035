import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callerWith } from '../../src/access/caller.ts'
import { removeDeparted, storeArriving } from '../../src/records/moving/arriving-changes.ts'
import type { QuantityColumns } from '../../src/records/moving/arriving-records.ts'
import type { Records } from '../../src/records/records.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import type { WriteContext } from '../../src/records/writing/write-context.ts'
import { Refusal } from '../../src/refusal.ts'
import { inChange, inChangeSet } from '../../src/storage/change-set.ts'
import type { Transaction } from '../../src/storage/database.ts'
import { insertFile, updateFileTexts } from '../../src/storage/file-rows.ts'
import { identitiesOf } from '../../src/storage/identity.ts'
import { uuidOfRemoved } from '../../src/storage/journal.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import type { Report } from '../../src/storage/report.ts'
import { putSetting } from '../../src/storage/settings.ts'
import { keptFiles } from '../../src/storage/unused-files.ts'
import { keyOf, withKnownParts } from './follow-state.ts'
import type { FollowedFarm, SourceReading } from './source.ts'
import { readBytes } from './source-files.ts'
import type { SourceServer } from './source-server.ts'
import { type NotedReading, readingSetting } from './target-farm.ts'

/** Records in one transaction: others may write in between. */
const together = 100

interface WriterContext {
  readonly records: Records
  readonly noted: NotedReading
  /** The source shows UUIDs, also of parts. */
  readonly hasUuids: boolean
  /** Waits while the work is paused. */
  ready(): Promise<void>
}

/** A record that cannot be stored. */
interface RefusedRecord {
  readonly record: StoredRecord
  readonly message: string
}

/** Writes records of the other farm into one in use, in slices, and notes the change sets that brought them. */
export class FollowWriter {
  readonly counts = { created: 0, updated: 0, removed: 0 }
  readonly refused: RefusedRecord[] = []
  noted: NotedReading
  quantityColumns: QuantityColumns = () => undefined
  readonly #context: WriterContext
  #slice: StoredRecord[] = []

  constructor(context: WriterContext) {
    this.#context = context
    this.noted = context.noted
  }

  /** `brought`: records that came from there earlier. Those that were removed here come back under their UUIDs. */
  async add(record: StoredRecord, brought: ReadonlySet<string>): Promise<void> {
    this.#slice.push(record)
    if (this.#slice.length >= together) await this.finish(brought)
  }

  async finish(brought: ReadonlySet<string>): Promise<void> {
    const slice = this.#slice
    this.#slice = []
    await this.#store(slice, brought)
  }

  /** A record that cannot be stored holds up no other. */
  async #store(records: readonly StoredRecord[], brought: ReadonlySet<string>): Promise<void> {
    if (records.length === 0) return
    await this.#context.ready()
    const before = { ...this.counts }
    try {
      await this.#inSet(async (work) => {
        for (const record of records) await this.#storeOne(work, record, brought)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      Object.assign(this.counts, before)
      const [only] = records
      if (records.length > 1) for (const record of records) await this.#store([record], brought)
      else if (only !== undefined) this.refused.push({ record: only, message: error.message })
    }
  }

  async #storeOne(work: WriteContext, record: StoredRecord, brought: ReadonlySet<string>): Promise<void> {
    const { hasUuids } = this.#context
    const before = (await recordsByIds(work.tx, record.type, [record.id])).get(record.id)
    // The log that has a quantity decides what it is.
    if (before?.log !== undefined) return
    const given = new Set(hasUuids ? ['quantity', 'inventory'] : [])
    const values = withKnownParts(record.values, before?.values ?? {}, given)
    const removed =
      before === undefined && !hasUuids && brought.has(keyOf(record)) ? await uuidOfRemoved(work.tx, record) : undefined
    const created = record.type === 'term' ? (before?.created ?? record.created) : record.created
    await storeArriving(work, { ...record, uuid: removed ?? record.uuid, created, values }, this.quantityColumns)
    this.counts[before === undefined ? 'created' : 'updated'] += 1
  }

  /** Removes records; returns those that others still refer to. */
  async remove(keys: readonly string[], progress: (done: number) => void): Promise<readonly string[]> {
    let waiting = keys.toSorted((one, other) => rank(one) - rank(other))
    let done = 0
    for (let isProgress = true; isProgress && waiting.length > 0; ) {
      const left: string[] = []
      for (let start = 0; start < waiting.length; start += together) {
        await this.#context.ready()
        const slice = waiting.slice(start, start + together)
        left.push(...(await this.#removeSome(slice)))
        done += slice.length
        progress(Math.min(done, keys.length))
      }
      isProgress = left.length < waiting.length
      waiting = left
    }
    return waiting
  }

  async #removeSome(keys: readonly string[]): Promise<readonly string[]> {
    try {
      await this.#inSet(async (work) => {
        for (const key of keys) await removeDeparted(work, recordOf(key))
      })
      this.counts.removed += keys.length
      return []
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (keys.length === 1) return keys
      const half = keys.length >> 1
      return [...(await this.#removeSome(keys.slice(0, half))), ...(await this.#removeSome(keys.slice(half)))]
    }
  }

  /** One transaction and one change set of the farm itself, noted as brought from there. */
  async #inSet(change: (work: WriteContext) => Promise<void>): Promise<void> {
    const { records } = this.#context
    const { database, clock } = records
    const caller = callerWith({ uid: 0, name: '', role: 'manager' }, 'cookie')
    const at = clock()
    const id = newUuid(at)
    const sets = [...(this.noted.sets ?? []), id]
    await inChange(database, { beside: 'others', ending: 'kept' }, async (tx) => {
      await inChangeSet(tx, { id, at, uid: 0, client: null, request: null }, (set) =>
        change({ installation: records, tx, caller, set }),
      )
      await this.noteIn(tx, { sets })
    })
    this.noted = { ...this.noted, sets }
  }

  /** Keeps the note in the farm. */
  async note(more: Partial<NotedReading>): Promise<void> {
    this.noted = { ...this.noted, ...more }
    await this.#context.records.database.write((tx) => this.noteIn(tx, {}))
  }

  noteIn(tx: Transaction, more: Partial<NotedReading>): Promise<void> {
    return putSetting(tx, readingSetting, JSON.stringify({ ...this.noted, ...more }))
  }
}

const rank = (key: string): number => ['log', 'asset', 'term'].indexOf(key.split(' ')[0] ?? '')

export function recordOf(key: string): Pick<StoredRecord, 'type' | 'id'> {
  const [type = '', id = ''] = key.split(' ')
  // Keys are made by `keyOf`.
  return { type: type as StoredRecord['type'], id: Number(id) }
}

export interface FileTarget {
  /** The folder for downloads. */
  readonly folder: string
  readonly report: Report
}

interface FileContext {
  readonly records: Records
  readonly reading: SourceReading
  readonly noted: NotedReading
  readonly followed: FollowedFarm
}

/**
 * Downloads files that this farm lacks, and stores them for records to come. Returns their numbers here, where the
 * source shows no UUIDs.
 */
export async function bringFiles(
  server: SourceServer,
  { records, reading, noted, followed }: FileContext,
  { folder, report }: FileTarget,
): Promise<Readonly<Record<string, number>>> {
  const { files, namedFiles, uuids } = reading
  const { database, clock } = records
  const identities = await database.read((snapshot) => identitiesOf(snapshot, uuids))
  const numberOf = (key: number): number => {
    const uuid = files.described.get(key)?.uuid
    if (typeof uuid === 'string') return identities.get(uuid)?.number ?? 0
    return noted.numbers?.[`file ${key}`] ?? (key <= (noted.lastFile ?? 0) ? key : 0)
  }
  const kept = await database.read((snapshot) => keptFiles(snapshot, namedFiles.map(numberOf)))
  for (const key of namedFiles) {
    const file = kept.get(numberOf(key))
    if (file !== undefined && !files.bytes.has(key))
      files.bytes.keep(new Map([[key, { id: key, sha256: file.sha256, size: file.size }]]))
  }
  await readBytes(server, { files, folder, report })
  const numbers: Record<string, number> = {}
  for (const key of namedFiles) {
    const bytes = files.bytes.get(key)
    const file = kept.has(numberOf(key)) ? undefined : followed.fileOf(key)
    if (file === undefined || bytes === undefined) continue
    const sha256 = String(bytes.sha256)
    const { texts, ...row } = file
    const since = clock()
    const stored = {
      ...row,
      uuid: file.uuid ?? newUuid(since),
      bytes: readFileSync(join(folder, sha256)),
      sha256,
      since,
      for: 'a record to come' as const,
    }
    const id = await database.write(async (tx) => {
      const number = await insertFile(tx, stored)
      await updateFileTexts(tx, { id: number, ...texts })
      return number
    })
    if (file.uuid === undefined) numbers[`file ${key}`] = id
  }
  return numbers
}

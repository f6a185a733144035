import { type PlanContext, planEntries } from '../../web/store/enqueue.ts'
import type { Entry, LocalChange } from '../../web/store/outbox-entry.ts'
import type { LocalRecord, LocalRecordType, RecordFields } from '../../web/store/record.ts'

/** An outbox without its database: changes are planned and written down as the store does it. */
export class PlainOutbox {
  entries: readonly Entry[] = []
  readonly #ofServer = new Map<string, LocalRecord>()
  #last = 0

  constructor(...ofServer: readonly LocalRecord[]) {
    for (const record of ofServer) this.#ofServer.set(record.uuid, record)
  }

  save(changes: readonly LocalChange[], more: Partial<PlanContext> = {}): void {
    const { added, edited } = planEntries(changes, {
      set: `set ${this.#last + 1}`,
      at: 1000,
      clock: 'compared',
      ahead: 0,
      entries: this.entries,
      ofServer: (uuid) => this.#ofServer.get(uuid),
      resolve: (uuid) => this.#ofServer.get(uuid),
      numbered: () => [],
      ...more,
    })
    const kept = this.entries.map((entry) => edited.find(({ n }) => n === entry.n) ?? entry)
    this.entries = [...kept, ...added.map((entry) => ({ ...entry, n: this.#next() }))]
  }

  amend(n: number, change: Partial<Entry>): void {
    this.entries = this.entries.map((entry) => (entry.n === n ? { ...entry, ...change } : entry))
  }

  get said(): string[] {
    return this.entries.map(({ method, record, body }) => `${method} ${record} ${JSON.stringify(body)}`)
  }

  #next(): number {
    this.#last += 1
    return this.#last
  }
}

export const make = (uuid: string, fields: RecordFields = {}, type: LocalRecordType = 'log'): LocalChange => ({
  verb: 'make',
  type,
  bundle: { log: 'farm_activity', asset: 'animal', term: 'farm_areas' }[type],
  uuid,
  fields: { name: uuid, ...fields },
})

export const change = (uuid: string, fields: RecordFields, type: LocalRecordType = 'log'): LocalChange => ({
  verb: 'change',
  type,
  uuid,
  fields,
})

export const kept = (uuid: string, id: string, more: Partial<LocalRecord> = {}): LocalRecord => ({
  uuid,
  type: 'log',
  id,
  bundle: 'farm_activity',
  name: uuid,
  version: `${id}.edition`,
  fields: {},
  ...more,
})

export const entryOf = (n: number, record: string, more: Partial<Entry> = {}): Entry => ({
  n,
  key: `key ${n}`,
  set: `set ${n}`,
  method: 'POST',
  type: 'log',
  record,
  id: record,
  bundle: 'farm_activity',
  name: record,
  body: {},
  base: null,
  tag: null,
  at: 1000,
  clock: 'compared',
  ahead: 0,
  after: [],
  state: 'waiting',
  tries: 0,
  failures: 0,
  problem: null,
  edits: [],
  ...more,
})

import { addAccount } from '../../src/access/accounts.ts'
import { callerWith } from '../../src/access/caller.ts'
import { wallClock } from '../../src/clock.ts'
import { defaultSettings } from '../../src/config.ts'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { numberedPlaceAt } from '../../src/fields/place.ts'
import type { Drafts } from '../../src/fields/value.ts'
import { quantitiesByIds, quantitiesOfLogs } from '../../src/records/quantities/reading.ts'
import { openRecords, type Records } from '../../src/records/records.ts'
import { createIn } from '../../src/records/writing/create.ts'
import { newUuid, type RecordDraft } from '../../src/records/writing/draft.ts'
import { updateIn } from '../../src/records/writing/update.ts'
import type { WriteContext } from '../../src/records/writing/write-context.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import { beginChange, inChangeSet } from '../../src/storage/change-set.ts'
import type { Engine } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { placeWithTables } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

/** What is to be said of a record: nothing for a field that is to be emptied. */
export type Said = Readonly<Record<string, Drafts[string] | undefined>>

interface Asked {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly said?: Said
  readonly quantities?: readonly string[]
}

const manager = callerWith({ uid: 1, name: 'ada', role: 'manager' }, 'basic')

/** A farm without doors: its records, changed by the verbs themselves. */
export class FarmOfVerbs {
  readonly records: Records
  readonly place: StoragePlace

  constructor(records: Records, place: StoragePlace) {
    this.records = records
    this.place = place
  }

  /** One request: one transaction and one set of changes. */
  change<T>(work: (work: WriteContext) => Promise<T>): Promise<T> {
    return this.changeAs(newUuid(wallClock()), work)
  }

  changeAs<T>(id: string, work: (work: WriteContext) => Promise<T>): Promise<T> {
    return this.records.database.write(async (tx) => {
      await beginChange(tx, 'others')
      const given = { id, at: wallClock(), uid: 1, client: null, request: null }
      return inChangeSet(tx, given, (set) => work({ installation: this.records, tx, caller: manager, set }))
    })
  }

  draft({ type, bundle, said = {}, quantities }: Asked): RecordDraft {
    const faults: RefusalFault[] = []
    const drafts = Object.entries(said).flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const]))
    return {
      fields: fieldsOfBundle(stockFarm.records[type], bundle),
      drafts: Object.fromEntries(drafts),
      given: new Map(Object.keys(said).map((name) => [name, name])),
      computed: {},
      faults,
      ...(quantities === undefined ? {} : { quantities }),
      placeOf: (name) => numberedPlaceAt(name, { faults, words: () => [] }),
    }
  }

  create(asked: Asked & { readonly uuid?: string }): Promise<StoredRecord> {
    const { type, bundle, uuid } = asked
    const given = { type, bundle, draft: this.draft(asked), attribution: { faults: [] } }
    return this.change((work) => createIn(work, uuid === undefined ? given : { ...given, uuid }))
  }

  quantity(said: Said, bundle = 'standard'): Promise<StoredRecord> {
    return this.create({ type: 'quantity', bundle, said })
  }

  log(said: Said = {}, quantities?: readonly string[], bundle = 'farm_input'): Promise<StoredRecord> {
    const named = { name: 'Log', timestamp: 1_600_000_000, status: 'done', ...said }
    return this.create({ type: 'log', bundle, said: named, ...(quantities === undefined ? {} : { quantities }) })
  }

  term(name: string, bundle: string): Promise<StoredRecord> {
    return this.create({ type: 'term', bundle, said: { name } })
  }

  asset(name: string): Promise<StoredRecord> {
    return this.create({ type: 'asset', bundle: 'equipment', said: { name } })
  }

  async update(record: StoredRecord, said: Said, quantities?: readonly string[]): Promise<StoredRecord> {
    const { type, id, bundle } = record
    const draftFor = () => this.draft({ type, bundle, said, ...(quantities === undefined ? {} : { quantities }) })
    return (await this.change((work) => updateIn(work, { type, id, draftFor }))).after
  }

  /** As it is kept now. */
  async now({ type, id }: Pick<StoredRecord, 'type' | 'id'>): Promise<StoredRecord | undefined> {
    return this.records.database.read(async (snapshot) => (await recordsByIds(snapshot, type, [id])).get(id))
  }

  async quantitiesOf(log: Pick<StoredRecord, 'id'>) {
    return this.records.database.read(async (snapshot) => {
      const logs = [...(await recordsByIds(snapshot, 'log', [log.id])).values()]
      return (await quantitiesOfLogs(snapshot, logs)).get(log.id) ?? []
    })
  }

  async quantityNow({ id }: Pick<StoredRecord, 'id'>) {
    return this.records.database.read(async (snapshot) => (await quantitiesByIds(snapshot, [id])).get(id))
  }

  identity(uuid: string) {
    return this.records.database.read((snapshot) =>
      snapshot.selectFrom('identity').selectAll().where('uuid', '=', uuid).executeTakeFirst(),
    )
  }

  /** What the journal tells of records of a type: id and verb. */
  journal(type: RecordTypeName): Promise<readonly string[]> {
    return this.records.database.read(async (snapshot) => {
      const rows = await snapshot
        .selectFrom('journal')
        .selectAll()
        .where('record_type', '=', type)
        .orderBy('sequence')
        .execute()
      return rows.map(({ record_id, verb, revision }) => `${verb} ${record_id} at ${revision}`)
    })
  }

  async lastSet(): Promise<string> {
    return this.records.database.read(async (snapshot) => {
      const last = await snapshot
        .selectFrom('journal')
        .select('set_id')
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      return String(last.set_id)
    })
  }
}

/** With the account that writes everything. */
export async function farmOfVerbs(engine: Engine): Promise<FarmOfVerbs> {
  const place = await placeWithTables(engine)
  const database = await openDatabase(place, wallClock)
  atEndOfFile(() => database.close())
  const settings = { ...defaultSettings, ...place, port: 0 }
  const installation = { farm: stockFarm, database, clock: wallClock, settings }
  await addAccount(installation, {
    name: 'ada',
    password: 'green fields 42',
    role: 'manager',
    mail: 'a@b.example',
    language: 'en',
  })
  return new FarmOfVerbs(await openRecords(installation), place)
}

export const toId = (id: number) => ({ ref: 'id', id }) as const

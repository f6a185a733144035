import { callerWith } from '../../src/access/caller.ts'
import { nameKey } from '../../src/access/names.ts'
import { removeDeparted, storeArriving } from '../../src/records/moving/arriving-changes.ts'
import type { Records } from '../../src/records/records.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { namedBy } from '../../src/records/writing/put-back.ts'
import type { WriteContext } from '../../src/records/writing/write-context.ts'
import { Refusal } from '../../src/refusal.ts'
import { insertAccount } from '../../src/storage/access/account-rows.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { inChange, inChangeSet } from '../../src/storage/change-set.ts'
import type { Transaction } from '../../src/storage/database.ts'
import { identitiesOf } from '../../src/storage/identity.ts'
import { uuidOfRemoved } from '../../src/storage/journal.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import { putSetting } from '../../src/storage/settings.ts'
import { raiseNumber } from '../../src/storage/sql/record-numbers.ts'
import { blockedAccount, freeName, standIn } from './farm-export.ts'
import { bringFiles, type FileTarget } from './follow-files.ts'
import { differingFields, type FollowState, fingerprintOf, followState, keyOf, withKnownParts } from './follow-state.ts'
import type { FollowedFarm, SourceReading } from './source.ts'
import type { SourceServer } from './source-server.ts'
import { type NotedReading, readingSetting } from './target-farm.ts'

/** Answers to questions of an earlier run. */
interface FollowAnswers {
  /** Records that become what they are over there: `log 12`, or `all`. */
  readonly takeTheirs: readonly string[]
  /** Records that stay as they are here. */
  readonly keepOurs: readonly string[]
}

/** A record that both sides changed: the user decides. */
interface FollowQuestion {
  readonly about: string
  readonly sentence: string
  readonly sides: readonly string[]
}

const together = 100

/** One run of following. */
export class FollowRun {
  readonly #records: Records
  readonly #reading: SourceReading
  readonly #answers: FollowAnswers
  #noted: NotedReading
  readonly #questions: FollowQuestion[] = []
  #bases: ReadonlyMap<string, string> = new Map()
  readonly #counts = { created: 0, updated: 0, removed: 0 }

  constructor(given: { records: Records; reading: SourceReading; answers: FollowAnswers; noted: NotedReading }) {
    this.#records = given.records
    this.#reading = given.reading
    this.#answers = given.answers
    this.#noted = given.noted
  }

  get summary(): readonly string[] {
    const { created, updated, removed } = this.#counts
    return [`From the other server: ${created} new, ${updated} changed, ${removed} removed.`]
  }

  async run(): Promise<readonly FollowQuestion[]> {
    const state = await followState(this.#records, this.#noted)
    this.#bases = state.bases
    const first = await this.#followed(state)
    for (const _ of first.records());
    await this.#addAccounts(first)
    const followed = await this.#followed(state)
    const arriving = this.#arriving([...followed.records()], state)
    this.#noted = { ...this.#noted, numbers: { ...this.#noted.numbers, ...followed.numbers } }
    const standIns = [...followed.standIns].filter(([bundle]) => !state.standIns.has(bundle))
    await this.#storeSome(standIns.map(([bundle, id]) => standIn(bundle, id, this.#records.clock())))
    for (let start = 0; start < arriving.records.length; start += together)
      await this.#storeSome(arriving.records.slice(start, start + together))
    await this.#removeAll(arriving.gone)
    await this.#records.database.write((tx) => this.#note(tx, {}))
    return Promise.all(this.#questions.map((question) => this.#withSides(question)))
  }

  async end(): Promise<void> {
    await this.#records.database.write((tx) => this.#note(tx, { switched: true }))
  }

  async #followed(state: FollowState): Promise<FollowedFarm> {
    const { farm, clock, database } = this.#records
    const identities = await database.read((snapshot) => identitiesOf(snapshot, this.#reading.uuids))
    const { accounts = {}, notes } = this.#noted
    const byUuid = new Map([
      ...[...identities].map(([uuid, { number }]) => [uuid, number] as const),
      ...Object.entries(accounts),
    ])
    return this.#reading.follow({
      farm,
      noted: this.#noted,
      texts: notes,
      now: clock(),
      note: () => {},
      byUuid,
      standIns: state.standIns,
      isFree: (type, id) => {
        if (type === 'user') return !state.accounts.has(id) || accounts[String(id)] === id
        if (type === 'file') return true
        return !state.here.has(`${type} ${id}`) || state.bases.has(`${type} ${id}`)
      },
    })
  }

  /** New accounts over there come along blocked, as all others did. */
  async #addAccounts({ accounts }: FollowedFarm): Promise<void> {
    const known = this.#noted.accounts ?? {}
    const fresh = accounts.filter(({ key, uid }) => known[key] === undefined && uid > 0)
    if (fresh.length === 0) return
    const blank = await blockedAccount()
    const rows = await this.#records.database.read((snapshot) => rowsOf(snapshot, 'account'))
    const names = new Set(rows.map(({ name_key }) => String(name_key)))
    const added: Record<string, number> = {}
    await this.#records.database.write(async (tx) => {
      for (const { key, uid, uuid, name, created } of fresh) {
        const free = freeName(name, uid, names)
        await insertAccount(tx, { ...blank, uid, uuid, name: free, name_key: nameKey(free), created })
        await raiseNumber(tx, 'account', uid)
        added[key] = uid
      }
      await this.#note(tx, { accounts: { ...known, ...added } })
    })
    this.#noted = { ...this.#noted, accounts: { ...known, ...added } }
  }

  /** Stores files that this farm lacks. */
  async bringFiles(server: SourceServer, target: FileTarget): Promise<void> {
    const followed = await this.#followed(await followState(this.#records, this.#noted))
    const context = { records: this.#records, reading: this.#reading, noted: this.#noted, followed }
    const numbers = await bringFiles(server, context, target)
    this.#noted = { ...this.#noted, numbers: { ...this.#noted.numbers, ...numbers } }
  }

  /** Records to write, records to remove, and questions. */
  #arriving(all: readonly StoredRecord[], { bases, here }: FollowState) {
    const records: StoredRecord[] = []
    const there = new Set(all.map(keyOf))
    const isHere = new Set([...here.keys(), ...all.filter((one) => !bases.has(keyOf(one))).map(keyOf)])
    for (const record of all) {
      const key = keyOf(record)
      const [base, theirs, ours] = [bases.get(key), fingerprintOf(record), here.get(key)]
      if (base === theirs || ours === theirs || this.#noted.kept?.[key] === theirs) continue
      const missing = namedBy(this.#records.farm, record).filter(
        ({ to, id }) =>
          (to === 'log' || to === 'asset' || to === 'term') && !isHere.has(`${to} ${id}`) && there.has(`${to} ${id}`),
      )
      const isUntouched = base === undefined ? ours === undefined : ours === base
      if (missing.length > 0)
        this.#ask(
          key,
          `refers to what was removed here: ${missing.map(({ to, id }) => `${to} ${id}`).join(', ')}.`,
          record,
        )
      else if (isUntouched || this.#isTaken(key)) records.push(record)
      else if (this.#isKept(key)) this.#noted = { ...this.#noted, kept: { ...this.#noted.kept, [key]: theirs } }
      else
        this.#ask(
          key,
          ours === undefined ? 'was changed there and removed here.' : 'was changed on both sides.',
          record,
        )
    }
    const gone: string[] = []
    for (const [key, base] of bases) {
      if (there.has(key) || !here.has(key)) continue
      if (here.get(key) === base || this.#isTaken(key)) gone.push(key)
      else if (this.#isKept(key)) this.#noted = { ...this.#noted, kept: { ...this.#noted.kept, [key]: 'removed' } }
      else if (this.#noted.kept?.[key] !== 'removed') this.#ask(key, 'was removed there and changed here.')
    }
    return { records, gone }
  }

  #isTaken = (key: string): boolean =>
    this.#answers.takeTheirs.includes(key) || this.#answers.takeTheirs.includes('all')
  #isKept = (key: string): boolean => this.#answers.keepOurs.includes(key) || this.#answers.keepOurs.includes('all')

  readonly #sides = new Map<string, StoredRecord>()

  #ask(about: string, sentence: string, theirs?: StoredRecord): void {
    if (theirs !== undefined) this.#sides.set(about, theirs)
    this.#questions.push({ about, sentence, sides: [] })
  }

  /** The question with the fields that differ. */
  async #withSides(question: FollowQuestion): Promise<FollowQuestion> {
    const theirs = this.#sides.get(question.about)
    if (theirs === undefined) return question
    const { type, id } = theirs
    const ours = await this.#records.database.read((snapshot) => recordsByIds(snapshot, type, [id]))
    return { ...question, sides: differingFields(theirs.values, ours.get(id)?.values ?? {}) }
  }

  /** A record that cannot be stored holds up no other. */
  async #storeSome(records: readonly StoredRecord[]): Promise<void> {
    if (records.length === 0) return
    try {
      await this.#inSet(async (work) => {
        for (const record of records) await this.#storeOne(work, record)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const [only] = records
      if (records.length > 1) for (const record of records) await this.#storeSome([record])
      else if (only !== undefined) this.#ask(keyOf(only), `cannot be taken over: ${error.message}`, only)
    }
  }

  async #storeOne(work: WriteContext, record: StoredRecord): Promise<void> {
    const before = (await recordsByIds(work.tx, record.type, [record.id])).get(record.id)
    const given = new Set(this.#reading.uuids.length > 0 ? ['quantity', 'inventory'] : [])
    const values = withKnownParts(record.values, before?.values ?? {}, given)
    // A record that was removed here comes back under its UUID.
    const removed =
      before === undefined && this.#bases.has(keyOf(record)) ? await uuidOfRemoved(work.tx, record) : undefined
    const created = record.type === 'term' ? (before?.created ?? record.created) : record.created
    await storeArriving(work, { ...record, uuid: removed ?? record.uuid, created, values })
    this.#counts[before === undefined ? 'created' : 'updated'] += 1
  }

  /** Records that others refer to wait until those are gone. */
  async #removeAll(keys: readonly string[]): Promise<void> {
    let waiting = keys.toSorted((one, other) => rank(one) - rank(other))
    for (let isProgress = true; isProgress && waiting.length > 0; ) {
      const left: string[] = []
      for (const key of waiting) {
        const [type = '', id = ''] = key.split(' ')
        const isRemoved = await this.#inSet((work) =>
          removeDeparted(work, { type: type as StoredRecord['type'], id: Number(id) }),
        ).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Refusal) return false
            throw error
          },
        )
        if (isRemoved) this.#counts.removed += 1
        else left.push(key)
      }
      isProgress = left.length < waiting.length
      waiting = left
    }
    for (const key of waiting) this.#ask(key, 'was removed there, but records of this farm refer to it.')
  }

  /** One transaction and one change set of the farm itself, noted as brought from there. */
  async #inSet(change: (work: WriteContext) => Promise<void>): Promise<void> {
    const { database, clock } = this.#records
    const caller = callerWith({ uid: 0, name: '', role: 'manager' }, 'cookie')
    const at = clock()
    const id = newUuid(at)
    const sets = [...(this.#noted.sets ?? []), id]
    await inChange(database, { beside: 'others', ending: 'kept' }, async (tx) => {
      await inChangeSet(tx, { id, at, uid: 0, client: null, request: null }, (set) =>
        change({ installation: this.#records, tx, caller, set }),
      )
      await this.#note(tx, { sets })
    })
    this.#noted = { ...this.#noted, sets }
  }

  #note(tx: Transaction, more: Partial<NotedReading>): Promise<void> {
    return putSetting(tx, readingSetting, JSON.stringify({ ...this.#noted, ...more }))
  }
}

const rank = (key: string): number => ['log', 'asset', 'term'].indexOf(key.split(' ')[0] ?? '')

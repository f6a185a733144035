import { nameKey } from '../../src/access/names.ts'
import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import type { MoveQuestion } from '../../src/records/moving/move-job.ts'
import type { Records } from '../../src/records/records.ts'
import { namedBy } from '../../src/records/writing/put-back.ts'
import { insertAccount } from '../../src/storage/access/account-rows.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { isWithout, signsOfRecords } from '../../src/storage/backup/replacement.ts'
import { identitiesOf } from '../../src/storage/identity.ts'
import { recordsByIds } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import type { Report } from '../../src/storage/report.ts'
import { raiseNumber } from '../../src/storage/sql/record-numbers.ts'
import { blockedAccount, freeName, standIn } from './farm-export.ts'
import { differingFields, type FollowState, fingerprintOf, followState, keyOf, quantityIds } from './follow-state.ts'
import { bringFiles, type FileTarget, FollowWriter, recordOf } from './follow-writer.ts'
import { unhurried } from './json-lines-store.ts'
import type { FollowedFarm, SourceReading } from './source.ts'
import type { SourceServer } from './source-server.ts'
import type { NotedReading } from './target-farm.ts'

/** Answers to questions of an earlier run. */
export interface FollowAnswers {
  /** Records that become what they are over there: `log 12`, or `all`. */
  readonly takeTheirs: readonly string[]
  /** Records that stay as they are here. */
  readonly keepOurs: readonly string[]
}

/** A record that both sides changed: the user decides. */
export interface FollowQuestion extends Omit<MoveQuestion, 'record'> {
  readonly about: string
}

interface FollowInput {
  readonly records: Records
  readonly reading: SourceReading
  readonly answers: FollowAnswers
  readonly noted: NotedReading
  readonly report: Report
  /** Waits while the work is paused. */
  ready(): Promise<void>
}

/** One run of following. */
export class FollowRun {
  readonly #records: Records
  readonly #reading: SourceReading
  readonly #answers: FollowAnswers
  readonly #report: Report
  readonly #writer: FollowWriter
  readonly #questions: FollowQuestion[] = []
  /** Records with another number here, in words. */
  renumbered: readonly string[] = []

  constructor(given: FollowInput) {
    this.#records = given.records
    this.#reading = given.reading
    this.#answers = given.answers
    this.#report = given.report
    this.#writer = new FollowWriter({ ...given, hasUuids: given.reading.uuids.length > 0 })
  }

  get counts(): Readonly<FollowWriter['counts']> {
    return this.#writer.counts
  }

  async run(): Promise<readonly FollowQuestion[]> {
    const state = await followState(this.#records, this.#writer.noted)
    const first = await this.#followed(state)
    const there = new Set<string>()
    for await (const record of unhurried(first.records())) there.add(keyOf(record))
    await this.#addAccounts(first)
    const followed = await this.#followed(state)
    this.#keepInNote({ numbers: { ...this.#writer.noted.numbers, ...followed.numbers } })
    this.#writer.quantityColumns = followed.quantityColumns
    this.renumbered = followed.renumbered
    const placeholders = [...first.standIns].filter(([bundle]) => !state.standIns.has(bundle))
    for (const [bundle, id] of placeholders)
      await this.#writer.add(standIn(bundle, id, this.#records.clock()), state.brought)
    await this.#storeArriving(followed, { state, there })
    const gone = await this.#untaken(this.#gone(there, state))
    const left = await this.#writer.remove(gone, (done) => this.#report('records removed', done, 0))
    for (const key of left) this.#ask(key, 'was removed there, but records of this farm refer to it.')
    for (const { record, message } of this.#writer.refused)
      this.#ask(keyOf(record), `cannot be taken over: ${message}`, record)
    await this.#writer.note({})
    return Promise.all(this.#questions.map((question) => this.#withSides(question)))
  }

  async end(): Promise<void> {
    await this.#writer.note({ switched: true })
  }

  /** Comes first: the first terms of a farm where nobody recorded anything give way to those of the other farm. */
  async makeRoom(): Promise<void> {
    const { database } = this.#records
    const isUnrecorded =
      (this.#writer.noted.sets ?? []).length === 0 &&
      (await database.read((snapshot) => isWithout(snapshot, database, signsOfRecords)))
    if (!isUnrecorded) return
    const { here } = await followState(this.#records, this.#writer.noted)
    await this.#writer.remove([...here.keys()], () => {})
    this.#writer.counts.removed = 0
  }

  async #followed(state: FollowState): Promise<FollowedFarm> {
    const { farm, clock, database } = this.#records
    const { uuids } = this.#reading
    const identities = await database.read((snapshot) => identitiesOf(snapshot, uuids))
    const { accounts = {}, notes } = this.#writer.noted
    const placeholders = new Set([...state.standIns.values()].map((id) => `term ${id}`))
    const byUuid = new Map([
      ...[...identities].map(([uuid, { number }]) => [uuid, number] as const),
      ...Object.entries(accounts),
    ])
    return this.#reading.follow({
      farm,
      noted: this.#writer.noted,
      texts: notes,
      now: clock(),
      note: () => {},
      byUuid,
      standIns: state.standIns,
      isFree: (type, id) => {
        if (type === 'user') return !state.accounts.has(id) || accounts[String(id)] === id
        if (type === 'file') return true
        const key = `${type} ${id}`
        if (placeholders.has(key)) return false
        if (state.here.has(key)) return state.bases.has(key)
        return !state.removed.has(key) || (uuids.length === 0 && state.brought.has(key))
      },
    })
  }

  /** New accounts over there come along blocked, as all others did. */
  async #addAccounts({ accounts }: FollowedFarm): Promise<void> {
    const known = this.#writer.noted.accounts ?? {}
    this.#keepInNote({ blocked: accounts.flatMap((one) => (one.isBlocked ? [known[one.key] ?? one.uid] : [])) })
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
      await this.#writer.noteIn(tx, { accounts: { ...known, ...added } })
    })
    this.#keepInNote({ accounts: { ...known, ...added } })
  }

  /** Stores files that this farm lacks. */
  async bringFiles(server: SourceServer, target: FileTarget): Promise<void> {
    const followed = await this.#followed(await followState(this.#records, this.#writer.noted))
    const context = { records: this.#records, reading: this.#reading, noted: this.#writer.noted, followed }
    const numbers = await bringFiles(server, context, target)
    this.#keepInNote({ numbers: { ...this.#writer.noted.numbers, ...numbers } })
  }

  /** Written with the next records. */
  #keepInNote(more: Partial<NotedReading>): void {
    this.#writer.noted = { ...this.#writer.noted, ...more }
  }

  /** Stores new and changed records; asks about those that were changed here, too. */
  async #storeArriving(
    followed: FollowedFarm,
    { state, there }: { readonly state: FollowState; readonly there: ReadonlySet<string> },
  ): Promise<void> {
    const { bases, here, brought } = state
    let done = 0
    for await (const record of unhurried(followed.records())) {
      this.#report('records written', ++done, there.size)
      const key = keyOf(record)
      const [base, theirs, ours] = [bases.get(key), fingerprintOf(record), here.get(key)]
      if (base === theirs || ours === theirs || this.#writer.noted.kept?.[key] === theirs) continue
      const isComing = (target: string) => there.has(target) && !bases.has(target)
      const missing = namedBy(this.#records.farm, record).filter(
        ({ to, id }) =>
          (to === 'log' || to === 'asset' || to === 'term') &&
          !here.has(`${to} ${id}`) &&
          !isComing(`${to} ${id}`) &&
          there.has(`${to} ${id}`),
      )
      const isUntouched = base === undefined ? ours === undefined : ours === base
      if (missing.length > 0)
        this.#ask(
          key,
          `refers to what was removed here: ${missing.map(({ to, id }) => `${to} ${id}`).join(', ')}.`,
          record,
        )
      else if (isUntouched || this.#isTaken(key)) await this.#writer.add(record, brought)
      else if (this.#isKept(key)) this.#keepInNote({ kept: { ...this.#writer.noted.kept, [key]: theirs } })
      else
        this.#ask(
          key,
          ours === undefined ? 'was changed there and removed here.' : 'was changed on both sides.',
          record,
        )
    }
    await this.#writer.finish(brought)
  }

  /** Records that were removed over there. */
  #gone(there: ReadonlySet<string>, { bases, here }: FollowState): readonly string[] {
    const gone: string[] = []
    const { kept } = this.#writer.noted
    for (const [key, base] of bases) {
      if (there.has(key) || !here.has(key)) continue
      if (here.get(key) === base || this.#isTaken(key)) gone.push(key)
      else if (this.#isKept(key)) this.#keepInNote({ kept: { ...this.#writer.noted.kept, [key]: 'removed' } })
      else if (kept?.[key] !== 'removed') this.#ask(key, 'was removed there and changed here.')
    }
    return gone
  }

  /** A quantity that a log has taken meanwhile is not gone. */
  async #untaken(keys: readonly string[]): Promise<readonly string[]> {
    const quantities = await this.#records.database.read((snapshot) =>
      recordsByIds(snapshot, 'quantity', quantityIds(keys)),
    )
    const taken = new Set([...quantities.values()].flatMap((one) => (one.log === undefined ? [] : [keyOf(one)])))
    return keys.filter((key) => !taken.has(key))
  }

  #isTaken = (key: string): boolean =>
    this.#answers.takeTheirs.includes(key) || this.#answers.takeTheirs.includes('all')
  #isKept = (key: string): boolean => this.#answers.keepOurs.includes(key) || this.#answers.keepOurs.includes('all')

  readonly #sides = new Map<string, StoredRecord>()

  #ask(about: string, sentence: string, theirs?: StoredRecord): void {
    if (theirs !== undefined) this.#sides.set(about, theirs)
    this.#questions.push({ about, type: '', name: '', sentence, sides: [] })
  }

  /** The question with the fields that differ. */
  async #withSides(question: FollowQuestion): Promise<FollowQuestion> {
    const theirs = this.#sides.get(question.about)
    const { type, id } = recordOf(question.about)
    const ours = (await this.#records.database.read((snapshot) => recordsByIds(snapshot, type, [id]))).get(id)
    const { bundle = '', values } = ours ?? theirs ?? {}
    const fields = fieldsOfBundle(this.#records.farm.records[type], bundle)
    const sides = theirs === undefined ? [] : differingFields(fields, theirs.values, ours?.values ?? {})
    return { ...question, type: bundle, name: String(values?.name ?? ''), sides }
  }
}

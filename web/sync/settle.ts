import type { Entry } from '../store/entry.ts'
import { memory } from '../store/memory.ts'
import { readMeta } from '../store/meta.ts'
import { entriesOf } from '../store/outbox.ts'
import { settle } from '../store/settle.ts'
import type { Fields, KeptRecord, RecordType } from '../store/types.ts'
import { asKept, wholeFrom } from '../store/wire.ts'
import { type Answered, NoAnswer } from './ask.ts'
import { belongsInCopy, keptDays, keptSince } from './kept-window.ts'
import { next, type Outgoing, pause, type Step } from './outgoing.ts'
import { readRecords } from './read-records.ts'

/** The answer shows the record. */
export async function settleOne(outgoing: Outgoing, entry: Entry, answer: Answered<Fields>): Promise<Step> {
  const record = wholeFrom(answer.body, { type: entry.type, catalogue: memory.catalogue.peek() })
  await settleAs(outgoing, [entry], { changeSet: answer.headers.get('change-set'), records: [record] })
  return next
}

/** The answer does not show the records: they are read. If that fails the same is sent again, and is answered the same. */
export async function settleRead(outgoing: Outgoing, set: readonly Entry[], changeSet: string | null): Promise<Step> {
  try {
    const types: readonly RecordType[] = [...new Set(set.map(({ type }) => type))]
    const read = types.map((type) => readRecords(type, uuidsOf(type, set), memory.catalogue.peek()))
    await settleAs(outgoing, set, { changeSet, records: (await Promise.all(read)).flat() })
    return next
  } catch (error) {
    if (error instanceof NoAnswer) return pause(error.failure)
    throw error
  }
}

const uuidsOf = (type: RecordType, set: readonly Entry[]): string[] => [
  ...new Set(set.filter((entry) => entry.type === type).map(({ record }) => record)),
]

interface Outcome {
  readonly changeSet: string | null
  readonly records: readonly KeptRecord[]
}

/** Entries move to what was sent, and records into the copy, at once. */
export async function settleAs(outgoing: Outgoing, set: readonly Entry[], outcome: Outcome): Promise<void> {
  const { database } = outgoing
  const { changeSet, records } = outcome
  const since = keptSince((await readMeta(database, 'keptDays')) ?? keptDays)
  const kept = records.map(asKept).filter((record) => belongsInCopy(record, since))
  const there = new Set(kept.map(({ uuid }) => uuid))
  await settle(database, {
    entries: set.map(({ n }) => n),
    kept,
    removed: set.map(({ record }) => record).filter((uuid) => !there.has(uuid)),
    changeSet,
    amended: (await entriesOf(database)).flatMap((later) => amendedBy(later, set, records)),
  })
}

/** Later changes of the same record go on from what it is now, unless somebody else has changed it since: then they are compared. */
function amendedBy(later: Entry, set: readonly Entry[], records: readonly KeptRecord[]): [number, Partial<Entry>][] {
  const before = set.findLast(({ record, n }) => record === later.record && n < later.n)
  const now = records.find(({ uuid }) => uuid === later.record)
  if (before === undefined || now === undefined || set.includes(later)) return []
  const made = madeBy(before, now)
  if (made === now.version) return [[later.n, { tag: made, base: { name: now.name, ...now.fields } }]]
  return [[later.n, { tag: made }]]
}

/** The version that a record has got by an entry. */
function madeBy({ method, tag }: Entry, { version }: KeptRecord): string | null {
  const [now, edition] = version.split('.')
  if (method === 'POST') return `1.${edition}`
  const [before] = tag?.split('.') ?? []
  if (method === 'PUT' && before !== undefined) return `${Number(before) + 1}.${edition}`
  return `${now}.${edition}`
}

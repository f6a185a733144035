import { dayAt, spelledDay } from '../fields/day.ts'
import { findAccounts } from '../storage/access/account-rows.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordsByIds, termNames } from '../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { KnownThings } from './known-things.ts'
import { factsOf, type LogFacts } from './log-facts.ts'

/** One log behind a report, as somebody without an account may see it. */
export interface RowBehind {
  readonly day: string
  readonly name: string
  readonly amounts: readonly string[]
  readonly places: readonly string[]
  /** Whom it is assigned to, and who recorded it; missing where nobody is to be named. */
  readonly people?: readonly string[]
}

interface Wanted {
  readonly logs: readonly number[]
  readonly zone: string
  readonly people: 'named' | 'left out'
}

interface Behind {
  readonly rows: readonly RowBehind[]
  /** The id and the revision of each. */
  readonly revisions: readonly (readonly [number, number])[]
}

/** The logs that a report is made of, in order of time. */
export async function rowsBehind(snapshot: Snapshot, { logs, zone, people }: Wanted): Promise<Behind> {
  const stored = [...(await recordsByIds(snapshot, 'log', logs)).values()].toSorted(byTime)
  const things = new KnownThings(Number.MAX_SAFE_INTEGER)
  await things.learn(snapshot, stored.map(asBetween))
  const facts = stored.map((log) => factsOf(asBetween(log), log.bundle, things))
  const places = await termNames(snapshot, [...new Set(facts.flatMap(({ areas }) => areas))])
  const names = people === 'named' ? await namesOfPeople(snapshot, stored) : undefined
  return {
    revisions: stored.map(({ id, revision }) => [id, revision] as const),
    rows: stored.map((log, index) => ({
      day: spelledDay(dayAt(timeOf(log), zone)),
      name: nameOf(log) ?? '',
      amounts: facts[index]?.measured.map(amountText) ?? [],
      places: facts[index]?.areas.flatMap((area) => places.get(area) ?? []) ?? [],
      ...(names === undefined ? {} : { people: peopleOf(log).flatMap((uid) => names.get(uid) ?? []) }),
    })),
  }
}

const timeOf = ({ values }: StoredRecord): number => Number(values.timestamp)

const byTime = (one: StoredRecord, other: StoredRecord): number => timeOf(one) - timeOf(other) || one.id - other.id

const asBetween = (log: StoredRecord) => ({
  id: log.id,
  timestamp: timeOf(log),
  values: log.values,
})

const amountText = ({ value, unit, label }: LogFacts['measured'][number]): string =>
  [value, unit, label].filter((one) => one !== '').join(' ')

const peopleOf = ({ uid, values }: StoredRecord): readonly number[] => [
  ...new Set([...((values.log_owner as readonly number[] | undefined) ?? []), uid]),
]

async function namesOfPeople(snapshot: Snapshot, logs: readonly StoredRecord[]): Promise<ReadonlyMap<number, string>> {
  const accounts = await findAccounts(snapshot, [...new Set(logs.flatMap(peopleOf))])
  return new Map(accounts.map(({ uid, name }) => [uid, name]))
}

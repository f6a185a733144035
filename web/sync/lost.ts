import type { Entry, SentEntry } from '../store/entry.ts'
import { grouped } from '../store/grouped.ts'
import { sameValue } from '../store/same-value.ts'
import type { Fields, KeptRecord } from '../store/types.ts'

/** The farm after it was put back to an earlier state. */
export interface FarmNow {
  readonly record: (uuid: string) => KeptRecord | undefined
  /** Whether a set of changes was made on it, whatever became of it since. */
  readonly knowsSet: (changeSet: string) => Promise<boolean>
}

/** What has to be sent again, so that each record becomes what it was. */
export async function lostAmong(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const lost: SentEntry[] = []
  for (const ofRecord of grouped(sent, ({ entry }) => entry.record).values())
    lost.push(...(await lostOfRecord(ofRecord, farm)))
  return lost
}

/** What was removed in the end need not be made first; what is made anew need not come back from the trash. */
async function lostOfRecord(sent: readonly SentEntry[], farm: FarmNow): Promise<SentEntry[]> {
  const last = sent.at(-1)
  if (last?.entry.method === 'DELETE') return (await isLost(last, farm)) ? [asReadNow(last, farm)] : []
  const lost: SentEntry[] = []
  for (const one of sent) if (one.entry.method !== 'DELETE' && (await isLost(one, farm))) lost.push(one)
  const isMadeAnew = lost.some(({ entry }) => entry.method === 'POST')
  return lost.filter(({ entry }) => !isMadeAnew || entry.method !== 'RESTORE')
}

/** Others may have changed since what was sent, so it is not the record alone that tells. */
async function isLost({ entry, changeSet }: SentEntry, { record, knowsSet }: FarmNow): Promise<boolean> {
  if (isAsSent(entry, record(entry.record))) return false
  return changeSet === null || !(await knowsSet(changeSet))
}

function isAsSent({ method, body }: Entry, now: KeptRecord | undefined): boolean {
  if (method === 'DELETE' || now === undefined) return method === 'DELETE' && now === undefined
  const fields: Fields = { ...now.fields, name: now.name }
  return Object.keys(body).every((field) => sameValue(body[field], fields[field]))
}

/** Nobody has changed it since it was read: then there is nobody to be asked before it is removed. */
function asReadNow(sent: SentEntry, { record }: FarmNow): SentEntry {
  const { entry } = sent
  const now = record(entry.record)
  const isUnchanged = now !== undefined && sameValue(entry.base?.changed, now.fields.changed)
  return isUnchanged ? { ...sent, entry: { ...entry, tag: now.version } } : sent
}

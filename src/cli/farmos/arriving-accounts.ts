import { randomBytes, randomUUID } from 'node:crypto'
import { canonicalName, nameKey, nameLength } from '../../access/names.ts'
import { hashPassword } from '../../access/passwords.ts'
import { Refusal } from '../../refusal.ts'
import type { RowFiles } from '../../storage/backup/export-rows.ts'
import type { Note } from './changes.ts'
import { numberIn } from './kinds.ts'
import type { Known } from './known.ts'
import { oneLine } from './plain-text.ts'
import type { OtherFarm } from './reading.ts'
import type { ThisFarm } from './this-farm.ts'
import { unknownName } from './translation.ts'

interface Arrival {
  readonly reading: OtherFarm
  readonly known: Known
  readonly here: ThisFarm
  readonly now: number
  readonly note: Note
}

/** People of the other farm, under their numbers, blocked and without a password or role; those of this one have numbers above theirs. */
export async function addAccounts(rows: RowFiles, { reading, known, here, now, note }: Arrival): Promise<void> {
  const taken = new Set(here.accounts.map(({ name_key }) => String(name_key)))
  const nobodysPassword = await hashPassword({ password: randomBytes(32).toString('hex') })
  const untold = known.untoldUsers
  const add = (uid: number, given: string, created: number) => {
    const name = freeName(given, uid, taken)
    if (name !== given.trim())
      note({ about: `account ${uid}`, at: 'name', case: 'account-renamed', was: `${given} → ${name}` })
    rows.add('account', {
      uid,
      uuid: randomUUID(),
      name,
      name_key: nameKey(name),
      mail: '',
      mail_key: '',
      language: 'en',
      timezone: null,
      role: null,
      password_hash: nobodysPassword,
      blocked: 1,
      created,
    })
  }
  for (const [uid, { name, created }] of reading.users.all()) add(uid, String(name ?? ''), numberIn(created) ?? now)
  for (const uid of untold) {
    note({ about: `account ${uid}`, at: '', case: 'unknown-account' })
    add(uid, `${unknownName} ${uid}`, now)
  }
  addOwn(rows, here, Math.max(0, ...reading.users.ids, ...untold))
}

/** A name that nobody here has, and that is allowed here. */
function freeName(given: string, uid: number, taken: Set<string>): string {
  const most = nameLength - ` (farmOS ${uid})`.length
  const line = oneLine(given)
  const sound = isSound(line) ? line.trim().normalize('NFC') : line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}:]/gu, ' ').trim()
  const short = [...sound].slice(0, most).join('')
  const choices = [sound, `${short} (farmOS)`, `${short} (farmOS ${uid})`].map((one) => one.trim())
  const name = choices.find((one) => isSound(one) && !taken.has(nameKey(one))) ?? `${unknownName} ${uid}`
  taken.add(nameKey(name))
  return name
}

function isSound(name: string): boolean {
  try {
    return canonicalName(name) !== ''
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function addOwn(rows: RowFiles, { accounts, clients, events }: ThisFarm, above: number): void {
  const numbers = new Map(accounts.map(({ uid }, index) => [uid, above + 1 + index]))
  const renumbered = (uid: unknown) => (uid === null ? null : (numbers.get(uid) ?? null))
  for (const account of accounts) rows.add('account', { ...account, uid: renumbered(account.uid) })
  for (const client of clients) rows.add('client', { ...client, service_uid: renumbered(client.service_uid) })
  for (const event of events) {
    rows.add('access_event', { ...event, uid: renumbered(event.uid), actor: renumbered(event.actor) })
  }
}

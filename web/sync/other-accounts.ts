import { type ReadonlySignal, signal } from '@preact/signals'
import { databaseName, openDatabase, readMeta } from '../store/database.ts'
import { memory } from '../store/memory.ts'
import { countUnsent } from '../store/outbox.ts'
import { announceSendState } from './send-state.ts'
import { sendAll } from './sender.ts'
import { sessionEnd } from './session.ts'
import { notice } from './status.ts'

/** Unsent entries of another account of this farm on this device. */
export interface OtherAccountEntries {
  readonly uid: string
  readonly name: string
  readonly count: number
}

const found = signal<readonly OtherAccountEntries[]>([])

export const otherAccounts: ReadonlySignal<readonly OtherAccountEntries[]> = found

/** Each account has its own database. Only that account sends its entries, or a manager in its name. */
export async function findOtherAccounts(): Promise<void> {
  const farm = memory.me.peek()?.farm.uuid
  const own = memory.me.peek()?.account.id
  if (farm === undefined || own === undefined || indexedDB.databases === undefined) return
  const prefix = databaseName(farm, '')
  const names = (await indexedDB.databases()).map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
  const uids = names.map((name) => name.slice(prefix.length)).filter((uid) => uid !== own)
  const counted = await Promise.all(uids.map((uid) => entriesWaiting(farm, uid)))
  found.value = counted.filter(({ count }) => count > 0)
  for (const { count, name } of found.value) notice({ kind: 'others-wait', count, name })
}

async function entriesWaiting(farm: string, uid: string): Promise<OtherAccountEntries> {
  const database = await openDatabase(databaseName(farm, uid))
  const count = await countUnsent(database)
  const name = (await readMeta(database, 'me'))?.account.name ?? uid
  database.close()
  return { uid, name, count }
}

/** A manager sends entries of an account that cannot log in; the farm records that account as the author. */
export async function sendInNameOf({ uid }: OtherAccountEntries): Promise<void> {
  const farm = memory.me.peek()?.farm.uuid
  if (farm === undefined) return
  const database = await openDatabase(databaseName(farm, uid))
  try {
    await sendAll({ database, author: { uid } }, sessionEnd())
  } finally {
    database.close()
    announceSendState({ kind: 'idle' })
  }
  await findOtherAccounts()
}

import { batch } from '@preact/signals'
import { clockAhead, setClockAhead } from '../words/format.ts'
import { rereadUpdate } from './commit.ts'
import {
  type CopyDatabase,
  databaseName,
  type Meta,
  type MetaChange,
  openDatabase,
  putMeta,
  readMeta,
  removeDatabase,
  writeMeta,
} from './database.ts'
import { forgetOpened, rememberOpened } from './local-storage.ts'
import { memory } from './memory.ts'
import { readOutbox, readUnsent } from './outbox.ts'
import { forgetRecords, showChange, showOutbox } from './overlay.ts'
import { type CatalogueDocument, type Me, recordOf } from './record.ts'
import { forgetStays, showStays } from './stays.ts'
import { closeChannel, listenToTabs, type TabMessage, tellTabs } from './tab-channel.ts'

/** An open database; its content is visible only after `showCopy`. */
export interface OpenCopy {
  readonly name: string
  readonly database: CopyDatabase
}

/** Messages of other tabs that the store does not handle go to `onMessage`. */
export async function openCopy(
  { farm, uid }: { farm: string; uid: string },
  onMessage: (message: TabMessage) => void,
): Promise<OpenCopy> {
  const name = databaseName(farm, uid)
  const copy = { name, database: await openDatabase(name) }
  listenToTabs(name, (message) => {
    if (message.kind !== 'committed' && message.kind !== 'emptied' && message.kind !== 'outbox')
      return onMessage(message)
    written += 1
    if (message.kind === 'committed') void rereadUpdate(message)
    else if (message.kind === 'outbox') void readOutbox(message)
    else forgetEverything()
  })
  return copy
}

/** Number of writes reported by other tabs. */
let written = 0

/** Reads the copy into memory; again if another tab has written meanwhile. */
export async function showCopy(copy: OpenCopy): Promise<void> {
  const before = written
  await readCopy(copy)
  if (written !== before) await showCopy(copy)
}

async function readCopy({ database }: OpenCopy): Promise<void> {
  const types = ['term', 'asset'] as const
  const [showWaiting, me, catalogue, people, used, ahead, stays, ...rows] = await Promise.all([
    readUnsent(database),
    readMeta(database, 'me'),
    readMeta(database, 'catalogue'),
    readMeta(database, 'people'),
    readMeta(database, 'used'),
    readMeta(database, 'clockAhead'),
    database.getAll('stay'),
    ...types.map((type) => database.getAllFromIndex('record', 'time', IDBKeyRange.bound([type], [type, []]))),
  ])
  batch(() => {
    memory.database = database
    setClockAhead(ahead ?? 0)
    memory.me.value ??= me ?? null
    memory.catalogue.value = catalogue ?? null
    memory.people.value = new Map(people ?? [])
    memory.used.value = used ?? {}
    forgetEverything()
    showStays(stays)
    showChange({ kept: rows.flat().map(recordOf), removed: [] })
    showWaiting()
  })
}

/** Stores the account, without its token. */
export async function keepMe({ database }: OpenCopy, me: Me): Promise<void> {
  memory.me.value = me
  const { farm, account } = me
  rememberOpened({ farm: farm.uuid, uid: account.id, farmName: farm.name, accountName: account.name })
  await writeMeta(database, {
    me: { ...me, csrf_token: null },
    contact: Date.now(),
    locked: null,
    clockAhead: clockAhead(),
  })
}

/** A copy of another catalogue is loaded again. */
export async function keepCatalogue({ database }: OpenCopy, catalogue: CatalogueDocument): Promise<void> {
  memory.catalogue.value = catalogue
  const before = (await readMeta(database, 'catalogue')) ?? catalogue
  await writeMeta(database, { catalogue, ...(before.catalogue !== catalogue.catalogue && { reload: true }) })
}

export async function keepPeople({ database }: OpenCopy, people: Meta['people']): Promise<void> {
  memory.people.value = new Map(people)
  await writeMeta(database, { people })
}

/** Deletes everything that came from the server; unsent entries stay. */
export async function emptyCopy({ database }: OpenCopy, meta: MetaChange): Promise<void> {
  const transaction = database.transaction(['record', 'stay', 'meta'], 'readwrite')
  const cleared = [transaction.objectStore('record').clear(), transaction.objectStore('stay').clear()]
  await Promise.allSettled([...cleared, ...putMeta(transaction.objectStore('meta'), meta)])
  await transaction.done
  forgetEverything()
  tellTabs({ kind: 'emptied' })
}

function forgetEverything(): void {
  forgetStays()
  forgetRecords()
}

/** Clears the memory and hides the copy. */
export function hideCopy(): void {
  batch(() => {
    memory.database = null
    showOutbox([], [])
    memory.photos.value = []
    memory.used.value = {}
    forgetEverything()
    memory.me.value = null
    memory.catalogue.value = null
    memory.people.value = new Map()
  })
}

/** Hides the copy and closes its database. */
export function closeCopy({ database }: OpenCopy): void {
  hideCopy()
  closeChannel()
  database.close()
}

export async function removeCopy(copy: OpenCopy): Promise<void> {
  closeCopy(copy)
  forgetOpened()
  await removeDatabase(copy.name)
}

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

/** A database that is open; what is in it is seen only once it is shown. */
export interface OpenCopy {
  readonly name: string
  readonly database: CopyDatabase
}

/** What the store does not understand itself of the words of other tabs is handed to `hear`. */
export async function openCopy(
  { farm, uid }: { farm: string; uid: string },
  hear: (message: TabMessage) => void,
): Promise<OpenCopy> {
  const name = databaseName(farm, uid)
  const copy = { name, database: await openDatabase(name) }
  listenToTabs(name, (message) => {
    if (message.kind !== 'committed' && message.kind !== 'emptied' && message.kind !== 'outbox') return hear(message)
    written += 1
    if (message.kind === 'committed') void rereadUpdate(message)
    else if (message.kind === 'outbox') void readOutbox(message)
    else forgetEverything()
  })
  return copy
}

/** How often another tab has said that it has written. */
let written = 0

/** Reads into memory what belongs there, again if another tab has written meanwhile. */
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

/** Of an account that has just been heard of: the token stays in memory. */
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

/** What was loaded by another catalogue is loaded again by this one. */
export async function keepCatalogue({ database }: OpenCopy, catalogue: CatalogueDocument): Promise<void> {
  memory.catalogue.value = catalogue
  const before = (await readMeta(database, 'catalogue')) ?? catalogue
  await writeMeta(database, { catalogue, ...(before.catalogue !== catalogue.catalogue && { reload: true }) })
}

export async function keepPeople({ database }: OpenCopy, people: Meta['people']): Promise<void> {
  memory.people.value = new Map(people)
  await writeMeta(database, { people })
}

/** Takes everything that came from the server away; what waits to be sent stays. */
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

/** Shows nothing of it any more. */
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

/** Lets go of its database, too. */
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

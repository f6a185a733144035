import { type ReadonlySignal, signal } from '@preact/signals'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import { dropLogs } from '../store/prune.ts'
import { keptDays, keptDaysWithoutRoom, keptSince, mostLogs } from './kept-window.ts'
import { wakeUp } from './occasions.ts'
import { notice } from './status.ts'

/** What is older than the copy is meant to keep goes, whatever room there is. */
export async function keepToWindow(copy: OpenCopy): Promise<void> {
  const { database } = copy
  if (await hasRoomAgain(copy)) return loadAllAgain(copy)
  const days = (await readMeta(database, 'keptDays')) ?? keptDays
  await dropLogs(database, { before: keptSince(days), most: mostLogs })
}

/** The device has no room left: older logs go, once. Nothing that was not sent is ever dropped. */
export async function makeRoom({ database }: Pick<OpenCopy, 'database'>): Promise<'some' | 'none'> {
  if ((await readMeta(database, 'keptDays')) === keptDaysWithoutRoom) {
    notice({ kind: 'no-room' })
    return 'none'
  }
  const since = keptSince(keptDaysWithoutRoom)
  const load = await readMeta(database, 'load')
  await dropLogs(database, { before: since, most: mostLogs })
  notice({ kind: 'logs-dropped', days: keptDaysWithoutRoom })
  const smaller = load === undefined ? {} : { load: { ...load, since } }
  return wrote(() => writeMeta(database, { keptDays: keptDaysWithoutRoom, fullAt: Date.now(), ...smaller }))
}

/** Some browsers count what is gone as room only a while later: until then not even this fits, and it is tried again. */
async function wrote(write: () => Promise<void>): Promise<'some' | 'none'> {
  try {
    await write()
    return 'some'
  } catch (error) {
    if (isFull(error)) return 'none'
    throw error
  }
}

const day = 86_400_000

/** Not on the same day: what filled the device then may do so again. */
async function hasRoomAgain({ database }: OpenCopy): Promise<boolean> {
  const fullAt = await readMeta(database, 'fullAt')
  return fullAt !== undefined && Date.now() - fullAt > day && (await hasRoom())
}

async function loadAllAgain({ database }: OpenCopy): Promise<void> {
  await writeMeta(database, { keptDays: null, fullAt: null, reload: true })
  wakeUp()
}

const enough = 50_000_000

/** Whether the browser lets the app keep as much as it may need. */
export async function hasRoom(): Promise<boolean> {
  const { quota = 0, usage = 0 } = await estimate()
  return quota - usage >= enough
}

const estimate = async (): Promise<StorageEstimate> => (await navigator.storage?.estimate?.()) ?? {}

const shareBeforePhotosStop = 0.8
const fit = signal(true)
let wasFull = false

/** Whether photos can be added: they stop long before the device is full, so that text never has to. */
export const photosFit: ReadonlySignal<boolean> = fit

/** Some browsers grant less than they say: then the first refusal tells. */
export async function lookForRoom(): Promise<void> {
  const { quota = 0, usage = 0 } = await estimate()
  fit.value = !wasFull && (quota === 0 || usage < quota * shareBeforePhotosStop)
}

/** Writes something down; where the device is full, room is made for it first. */
export async function withRoom<T>(copy: Pick<OpenCopy, 'database'>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isFull(error)) throw error
    wasFull = true
    if ((await makeRoom(copy)) === 'none') throw error
    return await write()
  } finally {
    void lookForRoom()
  }
}

export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

import { type ReadonlySignal, signal } from '@preact/signals'
import { dropLogs } from '../store/commit.ts'
import { readMeta, writeMeta } from '../store/database.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import { isDone, type LocalRecord, timeOf } from '../store/record.ts'
import { now } from '../words/format.ts'
import { syncNow } from './schedule.ts'
import { notice } from './status.ts'

const hour = 3_600
const day = 24 * hour

/** Days and number of done logs to keep. */
export const keptDays = 400
const keptDaysWithoutRoom = 90
export const mostLogs = 20_000

/** Full hours, so that repeated requests are equal. */
export const keptSince = (days: number) => now() - (now() % hour) - days * day

/** All records but done logs before that time. */
export function belongsInCopy(record: LocalRecord, since: number): boolean {
  return record.type !== 'log' || !isDone(record) || timeOf(record) >= since
}

/** Drops logs older than the copy keeps. */
export async function dropOldLogs(copy: OpenCopy): Promise<void> {
  const { database } = copy
  if (await hasFreeSpaceAgain(copy)) return loadAllAgain(copy)
  const days = (await readMeta(database, 'keptDays')) ?? keptDays
  await dropLogs(database, { before: keptSince(days), most: mostLogs })
}

/** The device is full: drops older logs, once. Unsent entries are never dropped. */
export async function freeSpace({ database }: Pick<OpenCopy, 'database'>): Promise<'some' | 'none'> {
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

/** Some browsers free space with a delay: until then the write fails and is retried. */
async function wrote(write: () => Promise<void>): Promise<'some' | 'none'> {
  try {
    await write()
    return 'some'
  } catch (error) {
    if (isQuotaExceeded(error)) return 'none'
    throw error
  }
}

const dayInMilliseconds = 86_400_000

/** Not on the same day: the device may fill up again. */
async function hasFreeSpaceAgain({ database }: OpenCopy): Promise<boolean> {
  const fullAt = await readMeta(database, 'fullAt')
  return fullAt !== undefined && Date.now() - fullAt > dayInMilliseconds && (await hasFreeSpace())
}

async function loadAllAgain({ database }: OpenCopy): Promise<void> {
  await writeMeta(database, { keptDays: null, fullAt: null, reload: true })
  syncNow()
}

const enough = 50_000_000

/** True if the storage quota is large enough. */
export async function hasFreeSpace(): Promise<boolean> {
  const { quota = 0, usage = 0 } = await estimate()
  return quota - usage >= enough
}

const estimate = async (): Promise<StorageEstimate> => (await navigator.storage?.estimate?.()) ?? {}

const shareBeforePhotosStop = 0.8
const fit = signal(true)
let wasFull = false

/** False long before the device is full, so that text always fits. */
export const photosFit: ReadonlySignal<boolean> = fit

/** Some browsers grant less than they report: then the first failed write counts. */
export async function checkPhotoSpace(): Promise<void> {
  const { quota = 0, usage = 0 } = await estimate()
  fit.value = !wasFull && (quota === 0 || usage < quota * shareBeforePhotosStop)
}

/** Writes; frees space and retries if the device is full. */
export async function withFreeSpace<T>(copy: Pick<OpenCopy, 'database'>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error
    wasFull = true
    if ((await freeSpace(copy)) === 'none') throw error
    return await write()
  } finally {
    void checkPhotoSpace()
  }
}

export const isQuotaExceeded = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../refusal.ts'
import { codeOf } from '../sql/errors.ts'

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** Makes names that were given or taken in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

/** Under this ending stands what is not yet whole. */
export const partialEnding = '.partial'

/** Writes a file that is there whole or not at all, and survives a power cut. */
export async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const partial = path + partialEnding
  await rm(partial, { force: true })
  await pipeline(bytes, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }))
  await rename(partial, path)
  await syncDirectory(dirname(path))
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EEXIST: 'is there already and is not overwritten',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  ENAMETOOLONG: 'cannot be written: its name is too long',
  EISDIR: 'is a directory',
  ENOTDIR: 'is not a directory',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the quota is used up',
  EIO: 'cannot be read or written: the disk reports an error',
}

/** The refusal for a file system error; any other error is returned as it is. */
export function fileProblem(error: unknown, path: string): unknown {
  const code = codeOf(error)
  const sentence = words[code]
  return sentence === undefined
    ? error
    : new Refusal(code === 'ENOENT' ? 'not-found' : 'conflict', `${path} ${sentence}.`)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Takes what is unfinished away when the process is told to end, and then ends as it was told. */
export async function withdrawnIfInterrupted<T>(withdraw: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    withdraw()
    letGo()
    process.kill(process.pid, signal)
  }
  const letGo = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return work().finally(letGo)
}

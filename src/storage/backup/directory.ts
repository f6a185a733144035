import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../refusal.ts'
import { makeDirectory } from '../disk/data-directory.ts'
import { carriedTables } from '../sql/table-fates.ts'
import { fileProblem, withdrawnIfInterrupted } from './durable-files.ts'
import { type ArchiveEntry, type ArchiveSource, manifestName } from './manifest.ts'

/** A file whose length need not be known before. */
export type WrittenEntry = Pick<ArchiveEntry, 'name' | 'bytes'>

/**
 * Writes each entry as a file. The manifest comes last, so that a directory without one is seen to be unfinished; it is left so
 * only by a process that was killed.
 */
export async function writeDirectory(directory: string, entries: AsyncIterable<WrittenEntry>): Promise<void> {
  try {
    const isNew = !existsSync(directory)
    makeDirectory(directory)
    const there = await readdir(directory)
    if (there.length > 0) throw isNotEmpty(directory, there)
    const written = new Set<string>()
    const withdraw = () => {
      for (const name of isNew ? ['.'] : written) rmSync(resolve(directory, name), { recursive: true, force: true })
    }
    await withdrawnIfInterrupted(withdraw, () => writeInto(directory, entries, written)).catch((error) => {
      withdraw()
      throw error
    })
  } catch (error) {
    throw fileProblem(error, directory)
  }
}

/** Notes the folders and files that it makes before it makes them. */
async function writeInto(directory: string, entries: AsyncIterable<WrittenEntry>, written: Set<string>): Promise<void> {
  for await (const { name, bytes } of entries) {
    const path = join(directory, name)
    written.add(name.replace(/\/.*$/, ''))
    makeDirectory(dirname(path))
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  }
}

function isNotEmpty(directory: string, there: readonly string[]): Refusal {
  const wasCutShort = carriedTables.some(([table]) => there.includes(table)) && !there.includes(manifestName)
  const advice = wasCutShort ? 'It seems to be an export that was cut short: delete it, or choose' : 'Choose'
  return new Refusal('conflict', `${directory} is not empty and is left as it is. ${advice} another directory.`)
}

export const exportIn = (directory: string): ArchiveSource => ({
  name: directory,
  entries: () => readDirectory(directory),
})

async function* readDirectory(directory: string): AsyncGenerator<ArchiveEntry> {
  try {
    if ((await stat(directory)).isFile()) throw isNoExport(directory)
    yield* partsIn(directory)
    yield await manifestIn(directory)
  } catch (error) {
    throw fileProblem(error, directory)
  }
}

/** All that is to stand in the manifest, in its order. */
export async function* partsIn(directory: string): AsyncGenerator<ArchiveEntry> {
  for (const folder of [...carriedTables.map(([table]) => table), 'blobs']) {
    for (const name of await namesIn(join(directory, folder))) yield await entryAt(directory, `${folder}/${name}`)
  }
}

async function manifestIn(directory: string): Promise<ArchiveEntry> {
  if ((await readdir(directory)).includes(manifestName)) return entryAt(directory, manifestName)
  throw new Refusal('conflict', `${directory} has no ${manifestName}: it is no export, or one that was cut short.`)
}

const isNoExport = (path: string): Refusal =>
  new Refusal(
    'conflict',
    `${path} is a file, and what \`furrow export\` writes is a directory. A backup is taken in with \`furrow restore ${path}\`.`,
  )

const namesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => !name.startsWith('.')).sort()
}

async function entryAt(directory: string, name: string): Promise<ArchiveEntry> {
  const path = join(directory, name)
  try {
    return { name, size: (await stat(path)).size, bytes: createReadStream(path) }
  } catch (error) {
    throw fileProblem(error, path)
  }
}

import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../refusal.ts'
import { makeDirectory } from '../making-directories.ts'
import { type Entry, manifestName, type Source } from './entry.ts'
import { fileProblem } from './file-problem.ts'
import { carriedTables } from './table-fates.ts'

/** Writes each entry as a file. The manifest comes last, so that a directory without one is seen to be unfinished. */
export async function writeDirectory(directory: string, entries: AsyncIterable<Entry>): Promise<void> {
  try {
    makeDirectory(directory)
    const there = await readdir(directory)
    if (there.length > 0) throw new Refusal('conflict', `${directory} is not empty and is left as it is.`)
    for await (const { name, bytes } of entries) {
      const path = join(directory, name)
      makeDirectory(dirname(path))
      await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
    }
  } catch (error) {
    throw fileProblem(error, directory)
  }
}

export const exportIn = (directory: string): Source => ({ name: directory, entries: () => readDirectory(directory) })

async function* readDirectory(directory: string): AsyncGenerator<Entry> {
  const folders = [...carriedTables.map(([table]) => table), 'blobs']
  try {
    if ((await stat(directory)).isFile()) throw isNoExport(directory)
    for (const folder of folders) {
      for (const name of await namesIn(join(directory, folder))) yield await entryAt(directory, `${folder}/${name}`)
    }
    yield await manifestIn(directory)
  } catch (error) {
    throw fileProblem(error, directory)
  }
}

async function manifestIn(directory: string): Promise<Entry> {
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

async function entryAt(directory: string, name: string): Promise<Entry> {
  const path = join(directory, name)
  try {
    return { name, size: (await stat(path)).size, bytes: createReadStream(path) }
  } catch (error) {
    throw fileProblem(error, path)
  }
}

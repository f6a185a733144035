import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportedFile } from './farm-in-sheets.ts'

/** Reads what was written and counts again. */
export async function verifyWritten(directory: string, files: readonly ExportedFile[]): Promise<void> {
  for (const { name, form, count } of files) {
    const found = await counted[form](join(directory, name))
    if (found !== count()) throw new Error(`${name} has ${found} where ${count()} were written`)
  }
}

const counted: Readonly<Record<ExportedFile['form'], (path: string) => Promise<number>>> = {
  sheet: async (path) => (await ends(path)) - 1,
  map: async (path) => lines(path, '{"type":"Feature",'),
  photo: async (path) => (await stat(path)).size,
}

const [quote, endOfLine] = [0x22, 0x0a]

/** How many rows end in a file: outside of quotes. */
async function ends(path: string): Promise<number> {
  let [count, isQuoted] = [0, false]
  for await (const bytes of createReadStream(path)) {
    for (const byte of bytes as Buffer) {
      if (byte === quote) isQuoted = !isQuoted
      else if (byte === endOfLine && !isQuoted) count += 1
    }
  }
  return count
}

async function lines(path: string, beginning: string): Promise<number> {
  let [count, rest] = [0, '']
  for await (const text of createReadStream(path, 'utf8')) {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() ?? ''
    count += pieces.filter((line) => line.startsWith(beginning)).length
  }
  return count
}

import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inMebibytes, mebibyte } from '../../src/fields/byte-size.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import type { Report } from '../../src/storage/report.ts'
import { JsonLinesStore } from './json-lines-store.ts'
import { bundleOf, describedBundles, fileIn, numberIn, sourceTypes, vocabularyNames } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import type { SourceServer } from './source-server.ts'
import { itemsOf } from './source-values.ts'
import { oneLine } from './written-text.ts'

/** Files of the source: their descriptions and their bytes. */
export interface SourceFiles {
  readonly described: JsonLinesStore
  /** sha256 and size of the readable files. */
  readonly bytes: Pick<JsonLinesStore, 'has' | 'get'>
}

export interface StoredSourceFiles extends SourceFiles {
  readonly bytes: JsonLinesStore
}

export const openFiles = (folder: string): StoredSourceFiles => ({
  described: new JsonLinesStore(join(folder, 'file.jsonl')),
  bytes: new JsonLinesStore(join(folder, 'file-bytes.jsonl')),
})

/** Every file that a record names. */
export function namedFiles(reading: SourceFarm): readonly number[] {
  const names = vocabularyNames(reading)
  const found = new Set<number>()
  for (const type of sourceTypes) {
    const bundles = describedBundles(reading, type)
    for (const [, record] of reading.records[type].all()) {
      const fields = bundles.get(bundleOf(type, record, names) ?? '')?.fields ?? new Map()
      for (const [name, value] of Object.entries(record)) {
        if (!isFileField(fields.get(name)?.type, value)) continue
        for (const item of itemsOf(value)) {
          const file = fileIn(item)
          if (file !== undefined) found.add(file)
        }
      }
    }
  }
  return [...found].sort((one, other) => one - other)
}

/** Descriptions of files in records. Several records may describe one file differently. */
export function describedInRecords({ records }: Pick<SourceFarm, 'records'>): ReadonlyMap<number, string> {
  const said = new Map<number, Set<string>>()
  for (const type of sourceTypes) {
    for (const [, record] of records[type].all()) {
      for (const item of Object.values(record).flatMap(itemsOf)) {
        if (!isTree(item) || !isTree(item.file)) continue
        const file = fileIn(item)
        if (file !== undefined && typeof item.description === 'string' && item.description !== '')
          said.set(file, (said.get(file) ?? new Set()).add(oneLine(item.description)))
      }
    }
  }
  return new Map([...said].map(([file, texts]) => [file, [...texts].join('; ')]))
}

const isFileField = (type: string | undefined, value: unknown): boolean =>
  type === 'file' || type === 'image' || itemsOf(value).some((item) => isTree(item) && isTree(item.file))

/** Requests the descriptions of files. Missing or private ones stay undescribed. */
export async function describeFiles(
  server: SourceServer,
  ids: readonly number[],
  files: StoredSourceFiles,
  report: Report,
) {
  const missing = ids.filter((id) => !files.described.has(id))
  let done = ids.length - missing.length
  await Promise.all(
    missing.map(async (id) => {
      const file = await server.jsonIfAny(`/file/${id}.json`)
      if (isTree(file)) files.described.keep(new Map([[id, file]]))
      report('descriptions of files', ++done, ids.length)
    }),
  )
}

/** The reason why a file cannot be read, reported before anything is stored. */
export function whyMissing(server: SourceServer, file: Tree | undefined): string | undefined {
  if (file === undefined) return 'is gone over there, or may not be read by this account'
  const path = typeof file.url === 'string' ? server.pathOf(file.url) : undefined
  if (path === undefined) return `lies on another host (${String(file.url)}), of which nothing is asked`
  if ((numberIn(file.size) ?? 0) > mostBytes) return `is larger than ${inMebibytes(mostBytes)}`
  return isPrivate(path) && server.login.kind === 'token' && server.spoken === '1.x'
    ? 'is private: only a login by password can read it'
    : undefined
}

const isPrivate = (path: string): boolean => /\/system\/files\//.test(path)

/** Saves files by their checksum, each as soon as it is complete. */
export async function readBytes(
  server: SourceServer,
  { files, folder, report }: { readonly files: StoredSourceFiles; readonly folder: string; readonly report: Report },
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) if (name.startsWith('.')) rmSync(join(folder, name))
  const all = [...files.described.all()].filter(([, file]) => whyMissing(server, file) === undefined)
  const missing = all.filter(([id]) => !files.bytes.has(id))
  let done = all.length - missing.length
  await Promise.all(
    missing.map(async ([id, file]) => {
      const partial = join(folder, `.${id}`)
      if (await isDownloaded(server, file, partial)) {
        const sha256 = await sumOf(partial)
        const { size } = statSync(partial)
        renameSync(partial, join(folder, sha256))
        files.bytes.keep(new Map([[id, { id, sha256, size }]]))
      } else rmSync(partial, { force: true })
      report('photos and files', ++done, all.length)
    }),
  )
}

const mostDownloads = 3

/** A file is held in memory whenever it is sent. */
const mostBytes = 100 * mebibyte
/** Bytes that a file may exceed its stated size: it may have been changed since. */
const mostMore = mebibyte

/** A connection may end early: a file smaller than stated is requested again. */
async function isDownloaded(server: SourceServer, { url, size }: Tree, to: string): Promise<boolean> {
  const path = server.pathOf(String(url)) ?? ''
  for (let times = 1; ; times += 1) {
    const most = Math.min(mostBytes, (numberIn(size) ?? mostBytes) + mostMore)
    if (!(await server.download(path, { file: to, most }))) return false
    if (statSync(to).size === numberIn(size) || times === mostDownloads) return true
  }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** The beginning of a file, which holds the size of an image. */
export async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const beginningBytes = 256 * 1024

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Records } from '../../src/records/records.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { insertFile } from '../../src/storage/file-rows.ts'
import { identitiesOf } from '../../src/storage/identity.ts'
import type { Report } from '../../src/storage/report.ts'
import { keptFiles } from '../../src/storage/unused-files.ts'
import type { FollowedFarm, SourceReading } from './source.ts'
import { readBytes } from './source-files.ts'
import type { SourceServer } from './source-server.ts'
import type { NotedReading } from './target-farm.ts'

export interface FileTarget {
  /** The folder for downloads. */
  readonly folder: string
  readonly report: Report
}

interface FileContext {
  readonly records: Records
  readonly reading: SourceReading
  readonly noted: NotedReading
  readonly followed: FollowedFarm
}

/**
 * Downloads files that this farm lacks, and stores them for records to come. Returns their numbers here, where the
 * source shows no UUIDs.
 */
export async function bringFiles(
  server: SourceServer,
  { records, reading, noted, followed }: FileContext,
  { folder, report }: FileTarget,
): Promise<Readonly<Record<string, number>>> {
  const { files, namedFiles, uuids } = reading
  const { database, clock } = records
  const identities = await database.read((snapshot) => identitiesOf(snapshot, uuids))
  const numberOf = (key: number): number => {
    const uuid = files.described.get(key)?.uuid
    if (typeof uuid === 'string') return identities.get(uuid)?.number ?? 0
    return noted.numbers?.[`file ${key}`] ?? (key <= (noted.lastFile ?? 0) ? key : 0)
  }
  const kept = await database.read((snapshot) => keptFiles(snapshot, namedFiles.map(numberOf)))
  for (const key of namedFiles) {
    const file = kept.get(numberOf(key))
    if (file !== undefined && !files.bytes.has(key))
      files.bytes.keep(new Map([[key, { id: key, sha256: file.sha256, size: file.size }]]))
  }
  await readBytes(server, { files, folder, report })
  const numbers: Record<string, number> = {}
  await database.write(async (tx) => {
    for (const key of namedFiles) {
      const bytes = files.bytes.get(key)
      const file = kept.has(numberOf(key)) ? undefined : followed.fileOf(key)
      if (file === undefined || bytes === undefined) continue
      const sha256 = String(bytes.sha256)
      const created = clock()
      const id = await insertFile(tx, {
        ...file,
        uuid: file.uuid ?? newUuid(created),
        bytes: readFileSync(join(folder, sha256)),
        sha256,
        created,
        for: 'a record to come',
      })
      if (file.uuid === undefined) numbers[`file ${key}`] = id
    }
  })
  return numbers
}

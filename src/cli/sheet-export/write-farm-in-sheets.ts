import type { Records } from '../../records/records.ts'
import { type WrittenEntry, writeDirectory } from '../../storage/backup/directory.ts'
import { countRecordsOf } from '../../storage/records/all-records.ts'
import type { Report } from '../../storage/report.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { callerCalled } from '../existing-farm.ts'
import { type ExportedFile, type FarmInSheets, Photos } from './farm-in-sheets.ts'
import { mapFiles } from './map-files.ts'
import { otherFiles } from './other-files.ts'
import { photoFiles } from './photo-files.ts'
import { readmeOf } from './readme.ts'
import { recordFiles } from './record-files.ts'
import { verifyWritten } from './verification.ts'

/**
 * Writes everything that people recorded into a directory, for whoever has no Furrow. The page that explains it comes last, when the rest
 * was read again and counted: a directory without it is unfinished.
 */
export async function writeFarmInSheets(
  records: Records,
  directory: string,
  report: Report,
): Promise<readonly ExportedFile[]> {
  const caller = await callerCalled(records, undefined)
  return records.database.read(async (snapshot) => {
    const { name: farm, timezone: zone } = await readFarmSettings(snapshot)
    const whole: FarmInSheets = { snapshot, records, caller, zone, report, photos: new Photos() }
    const files: ExportedFile[] = []
    async function* entries(): AsyncGenerator<WrittenEntry> {
      for await (const file of filesOf(whole)) {
        yield file
        files.push(file)
      }
      await requireAll(whole, files)
      await verifyWritten(directory, files)
      yield { name: 'README.md', bytes: [Buffer.from(readmeOf({ farm, now: records.clock(), zone, files }))] }
    }
    await writeDirectory(directory, entries())
    return files
  })
}

/** Photos come behind the records, which name them. */
async function* filesOf(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  yield* otherFiles(whole)
  yield* recordFiles(whole)
  yield* mapFiles(whole)
  yield* photoFiles(whole)
}

/** The sheets of a type have a row for each of its records. */
async function requireAll({ snapshot }: FarmInSheets, files: readonly ExportedFile[]): Promise<void> {
  const places = { log: 'logs/', asset: 'assets/', term: 'terms/', quantity: 'quantities.csv' } as const
  for (const [type, place] of Object.entries(places)) {
    const rows = files.filter(({ name }) => name.startsWith(place)).reduce((sum, { count }) => sum + count(), 0)
    const kept = await countRecordsOf(snapshot, type as keyof typeof places)
    if (rows !== kept) throw new Error(`${rows} of ${kept} records of the type ${type} were written`)
  }
}

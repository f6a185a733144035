import { resolve } from 'node:path'
import { wallClock } from '../clock.ts'
import { fileFormatNames, isSheetFormat, type SheetFormatName } from '../formats/file-formats.ts'
import { restoreFarm } from '../records/moving/restore-farm.ts'
import { openRecords } from '../records/records.ts'
import { type BackupResult, exportTo } from '../storage/backup/back-up.ts'
import { exportIn } from '../storage/backup/directory.ts'
import type { ArchiveSource, Manifest } from '../storage/backup/manifest.ts'
import { compactFile } from '../storage/compacting.ts'
import { placeName } from '../storage/disk/cannot-open.ts'
import { command, existingFarmOptions, type FarmValues, farmOptions, Misuse } from './command.ts'
import { inExistingFarm, inFarmEvenIfIncomplete, requireFarm } from './existing-farm.ts'
import { loadFarm } from './modules.ts'
import { flag, one, oneOrElse } from './option.ts'
import { oneOf } from './option-values.ts'
import { withProgress } from './progress.ts'
import { writeFarmInSheets } from './sheet-export/write-farm-in-sheets.ts'
import { say, warn } from './terminal.ts'

export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

export const arrivalOptions = {
  ...farmOptions,
  'keep-unknown': flag({ help: 'Take in records of modules that are not installed, as they are' }),
}

export const exportFarm = command({
  words: 'export',
  summary: 'Write the whole farm as readable files, while the server goes on',
  takes: { DIR: 'The directory to write to; it is created, or must be empty' },
  options: {
    as: oneOrElse('FORM', oneOf(['lines', 'sheets']), {
      help: 'lines: JSON lines, for `furrow import`; sheets: CSV or Excel, maps and photos, for people without Furrow',
      fallback: 'lines',
    }),
    format: one('FORMAT', oneOf(fileFormatNames.filter(isSheetFormat)), {
      help: 'With --as sheets: csv (usual) or xlsx, for Excel',
    }),
    ...existingFarmOptions,
  },
  run: ({ names: { DIR: directory }, options: { as, format, ...farm } }) => {
    if (as === 'sheets') return exportSheets(directory, farm, format ?? 'csv')
    if (format !== undefined) throw new Misuse('--format is for --as sheets.')
    return exportLines(directory, farm)
  },
})

async function exportLines(directory: string, farm: FarmValues): Promise<void> {
  const departure = await inFarmEvenIfIncomplete(farm, ({ database }) =>
    withProgress((report) => exportTo(database, directory, report)),
  )
  sayDeparture(`${directory} is written`, departure)
}

async function exportSheets(directory: string, farm: FarmValues, format: SheetFormatName): Promise<void> {
  const files = await inExistingFarm(farm, async (installation) => {
    const records = await openRecords(installation)
    return withProgress((report) => writeFarmInSheets(records, directory, { format, report }))
  })
  const listed = files.filter(({ form }) => form !== 'photo')
  const photos = files.length - listed.length
  say(...listed.map(({ name, count }) => `${String(count()).padStart(8)}  ${name}`))
  say(`${String(photos).padStart(8)}  photos and files`)
  say(`${directory} is written and verified; its README.md says what is what.`)
  sayDamage(files.filter(({ isDamaged }) => isDamaged).length)
}

export const importFarm = command({
  words: 'import',
  summary: 'Fill an empty farm with what `furrow export` has written, from either database',
  takes: { DIR: 'The directory that `furrow export` has written' },
  options: arrivalOptions,
  run: ({ names: { DIR: directory }, options }) => arrive(exportIn(directory), options, 'refuse'),
})

export function sayDeparture(where: string, { manifest, damaged }: BackupResult): void {
  say(`${where}: ${contentsOf(manifest)}.`)
  sayDamage(damaged.length)
}

function sayDamage(count: number): void {
  if (count === 0) return
  warn(
    `${count} of the photos and files were damaged before and were taken along as they are; \`furrow doctor\` names them.`,
  )
}

type ArrivalValues = FarmValues & { readonly 'keep-unknown': boolean }

/** Makes what is in a backup or an export the farm of the given place, and says what came and what was there before. */
export async function arrive(
  source: ArchiveSource,
  values: ArrivalValues,
  ifOccupied: 'refuse' | 'keep-aside',
): Promise<void> {
  const { database = null, module: modules = [] } = values
  const place = { data: resolve(values.data), database }
  const farm = await loadFarm(modules)
  const ifUnknown = values['keep-unknown'] ? 'keep' : 'refuse'
  const { manifest, aside } = await withProgress((report) =>
    restoreFarm(source, { place, farm, clock: wallClock, report, ifOccupied, ifUnknown }),
  )
  say(`The farm in ${placeName(place)} now is what was in ${resolve(source.name)}: ${contentsOf(manifest)}.`)
  if (aside !== null) say(`What was there before is kept in ${aside}.`)
}

/** A size in the largest unit of which it has at least one. */
export function inBytes(size: number): string {
  if (size < 1024) return counted(size, 'byte', 'bytes')
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KiB`
  return size < 1024 ** 3 ? `${(size / 1024 ** 2).toFixed(1)} MiB` : `${(size / 1024 ** 3).toFixed(1)} GiB`
}

/** Counts of a backup or an export, in a few words. */
export function contentsOf({ rows, blobs }: Manifest): string {
  return [
    counted(rows.log ?? 0, 'log', 'logs'),
    counted(rows.asset ?? 0, 'asset', 'assets'),
    counted(rows.term ?? 0, 'term', 'terms'),
    counted(rows.account ?? 0, 'account', 'accounts'),
    `${counted(blobs.count, 'photo or file', 'photos and files')} (${inBytes(blobs.size)})`,
    counted(rows.journal ?? 0, 'journal entry', 'journal entries'),
  ].join(', ')
}

export const compact = command({
  words: 'compact',
  summary: 'Give room that nothing needs any more back to the disk; with SQLite the server must be stopped',
  takes: {},
  options: existingFarmOptions,
  async run({ options }) {
    const { data, database } = options
    if (database !== undefined) {
      say('PostgreSQL is told to VACUUM: what was deleted can be used again, and files stay as large as they are.')
      // Loaded only here: other commands start faster without the driver.
      const { vacuumPostgres } = await import('../storage/postgres/open-postgres.ts')
      await vacuumPostgres(database)
      say('Done. To make the files smaller, run VACUUM FULL yourself, while no server is at work.')
      return
    }
    requireFarm(options)
    const { before, after } = await compactFile(resolve(data), ({ bytes, unusedBytes, neededBytes, seconds }) =>
      say(
        `The farm has ${inBytes(bytes)}, of which ${inBytes(unusedBytes)} are unused.`,
        `Compacting takes some ${seconds} s and up to ${inBytes(neededBytes)} of room.`,
      ),
    )
    say(`The farm had ${inBytes(before)} and has ${inBytes(after)}. From now on it gives room back by itself.`)
  },
})

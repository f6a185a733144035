import { openRecords } from '../../records/records.ts'
import { exportTo } from '../../storage/backup/back-up.ts'
import { command } from '../command.ts'
import { existingFarmOptions, type FarmValues } from '../farm-options.ts'
import { sayDamage, sayDeparture } from '../operation/departure.ts'
import { inExistingFarm, inFarmEvenIfIncomplete } from '../operation/existing-farm.ts'
import { withProgress } from '../operation/progress.ts'
import { oneOrElse } from '../option.ts'
import { oneOf } from '../option-values.ts'
import { writeFarmInSheets } from '../sheet-export/write-farm-in-sheets.ts'
import { say } from '../terminal.ts'

export const exportFarm = command({
  words: 'export',
  summary: 'Write the whole farm as readable files, while the server goes on',
  takes: { DIR: 'The directory to write to; it is created, or must be empty' },
  options: {
    as: oneOrElse('FORM', oneOf(['lines', 'sheets']), {
      help: 'lines: JSON lines, for `furrow import`; sheets: CSV, maps and photos, for people without Furrow',
      fallback: 'lines',
    }),
    ...existingFarmOptions,
  },
  run: ({ names: { DIR: directory }, options: { as, ...farm } }) =>
    as === 'sheets' ? exportSheets(directory, farm) : exportLines(directory, farm),
})

async function exportLines(directory: string, farm: FarmValues): Promise<void> {
  const departure = await inFarmEvenIfIncomplete(farm, ({ database }) =>
    withProgress((report) => exportTo(database, directory, report)),
  )
  sayDeparture(`${directory} is written`, departure)
}

async function exportSheets(directory: string, farm: FarmValues): Promise<void> {
  const files = await inExistingFarm(farm, async (installation) => {
    const records = await openRecords(installation)
    return withProgress((report) => writeFarmInSheets(records, directory, report))
  })
  const listed = files.filter(({ form }) => form !== 'photo')
  const photos = files.length - listed.length
  say(...listed.map(({ name, count }) => `${String(count()).padStart(8)}  ${name}`))
  say(`${String(photos).padStart(8)}  photos and files`)
  say(`${directory} is written and verified; its README.md says what is what.`)
  sayDamage(files.filter(({ isDamaged }) => isDamaged).length)
}

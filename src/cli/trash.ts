import { listAccounts } from '../access/accounts.ts'
import { allTypeNames } from '../farm/fields-of.ts'
import { kibibyte, mebibyte } from '../fields/byte-size.ts'
import { type TrashEntry, trashList as trashPage } from '../records/trash.ts'
import { type RestoreResult, restoreIn } from '../records/writing/restore.ts'
import { inDryRun } from '../storage/change-set.ts'
import type { Database } from '../storage/database.ts'
import { emptyTrash } from '../storage/emptying.ts'
import { mostTrashDays } from '../storage/settings.ts'
import { type Holdings, trashHoldings } from '../storage/trash-rows.ts'
import { command, existingFarmOptions } from './command.ts'
import { inExistingFarm, inOneChange } from './existing-farm.ts'
import { flag, one, oneOrElse } from './option.ts'
import { anyText, oneOf, wholeNumber } from './option-values.ts'
import { say, sayJson, sayTable, timeOf } from './terminal.ts'

const asJson = (entry: TrashEntry, names: Names) => ({
  uuid: entry.uuid,
  type: entry.type,
  id: entry.id,
  bundle: entry.bundle,
  name: entry.name,
  removed: timeOf(entry.removal.at),
  user: names.get(entry.removal.uid) ?? null,
  set: entry.removal.set_id,
  ends: timeOf(entry.ends),
  files: entry.files.map(({ id, name, size }) => ({ id, name, size })),
})

const asCells = (entry: TrashEntry, names: Names): string[] => [
  entry.uuid,
  `${entry.type} ${entry.id}`,
  entry.name.slice(0, 40),
  timeOf(entry.removal.at),
  names.get(entry.removal.uid) ?? '-',
  timeOf(entry.ends),
  entry.files.length === 0 ? '-' : sizeOf(bytesOf(entry)),
]

const bytesOf = ({ files }: TrashEntry): number => files.reduce((sum, { size }) => sum + size, 0)

export const heldInTrash = ({ records, files, bytes }: Holdings): string =>
  `In the trash: ${counted(records, 'record')}, ${counted(files, 'file')}, ${sizeOf(bytes)}`

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

export const trashList = command({
  words: 'trash list',
  summary: 'List removed records that can come back, the last first, and how much room they take',
  takes: {},
  options: {
    type: one('T', oneOf(allTypeNames), { help: 'Only of this type: log, asset, term or quantity' }),
    limit: oneOrElse('N', wholeNumber(1, 100_000), { help: 'At most so many', fallback: '100' }),
    json: flag({ help: 'As JSON, for programs' }),
    ...existingFarmOptions,
  },
  async run({ options: { type, limit, json, ...place } }) {
    const { entries, names, held } = await inExistingFarm(place, async (installation) => {
      const { database, farm } = installation
      const types = type === undefined ? allTypeNames : [type]
      const accounts = await listAccounts(installation)
      return database.read(async (snapshot) => ({
        entries: (await trashPage(snapshot, { farm, types, page: 0, limit })).entries,
        names: new Map(accounts.map(({ uid, name }) => [uid, name])),
        held: await trashHoldings(snapshot),
      }))
    })
    if (json) return sayJson({ ...held, list: entries.map((entry) => asJson(entry, names)) })
    sayTable(
      ['UUID', 'RECORD', 'NAME', 'REMOVED', 'BY', 'ENDS', 'FILES'],
      entries.map((entry) => asCells(entry, names)),
    )
    say(`${heldInTrash(held)}.`)
  },
})

type Names = ReadonlyMap<number, string>

const nothingKept = 'A dry run: nothing was changed. Without --dry-run:'

const linesOf = ({ records, dropped, namesakes }: RestoreResult): readonly string[] => [
  ...records.map(({ type, id, values }) => `${type} ${id} (${values.name}) is back.`),
  ...dropped.map(({ of, field, to, id }) => `${of.type} ${of.id} refers in ${field} to ${to} ${id} no longer.`),
  ...namesakes.map(
    ({ term, others }) => `term ${term.id} has the same name as ${others.map((id) => `term ${id}`).join(', ')}.`,
  ),
]

export const trashRestore = command({
  words: 'trash restore',
  summary: 'Bring a removed record back as it was',
  takes: { UUID: 'Its UUID, as furrow trash list shows it' },
  options: {
    'with-referents': flag({ help: 'Also what it refers to and lies in the trash too' }),
    'drop-missing': flag({ help: 'Leave out what it refers to and is gone for good' }),
    'dry-run': flag({ help: 'Only say what would come back, and what stands in the way' }),
    author: one('NAME', anyText, { help: 'The account that the change is noted as that of; none where none is given' }),
    ...existingFarmOptions,
  },
  async run({ names: { UUID: uuid }, options: { author, 'dry-run': dryRun, ...options } }) {
    const ending = dryRun ? 'undone' : 'kept'
    const restored = await inExistingFarm(options, (installation) =>
      inOneChange(installation, { author, ending }, (work) =>
        restoreIn(work, {
          records: [{ uuid: uuid.toLowerCase() }],
          referents: options['with-referents'] ? 'restore' : 'refuse',
          missing: options['drop-missing'] ? 'drop' : 'refuse',
        }),
      ),
    )
    say(...(dryRun ? [nothingKept] : []), ...linesOf(restored))
  },
})

export const trashEmpty = command({
  words: 'trash empty',
  summary: 'End removed records for good, with everything that they said, and free their files',
  takes: {},
  options: {
    'older-than': oneOrElse('DAYS', wholeNumber(0, mostTrashDays), {
      help: 'Only what was removed so many days ago',
      fallback: '0',
    }),
    'dry-run': flag({ help: 'Only say how many records would end' }),
    ...existingFarmOptions,
  },
  async run({ options }) {
    const isDry = options['dry-run']
    const ended = await inExistingFarm(options, ({ database, clock }) => {
      const now = clock()
      const until = now - options['older-than'] * 86_400
      const empty = (one: Database) => emptyTrash(one, { until, now, ifBusy: 'wait' })
      return isDry ? inDryRun(database, empty) : empty(database)
    })
    say(
      `${counted(ended, 'record')} ${isDry ? 'would end for good; a dry run, nothing was changed' : 'ended for good'}.`,
    )
  },
})

function sizeOf(bytes: number): string {
  if (bytes >= mebibyte) return `${(bytes / mebibyte).toFixed(1)} MiB`
  return bytes >= kibibyte ? `${(bytes / kibibyte).toFixed(1)} KiB` : `${bytes} bytes`
}

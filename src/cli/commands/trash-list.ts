import { listAccounts } from '../../access/accounts.ts'
import { allTypeNames } from '../../farm/fields-of.ts'
import { type TrashEntry, trashList as trashPage } from '../../records/trash.ts'
import { trashHoldings } from '../../storage/trash-rows.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { heldInTrash, sizeOf } from '../operation/trash-holdings.ts'
import { flag, one, oneOrElse } from '../option.ts'
import { oneOf, wholeNumber } from '../option-values.ts'
import { say, sayJson, sayTable } from '../terminal.ts'
import { timeOf } from '../time-of.ts'

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

const bytesOf = ({ files }: TrashEntry): number => files.reduce((sum, { size }) => sum + size, 0)

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

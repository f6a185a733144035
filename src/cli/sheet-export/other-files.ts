import { type AccountView, viewOf } from '../../access/accounts.ts'
import { isoTime } from '../../fields/time-zone.ts'
import { byteOrderMark, csvRow } from '../../formats/csv/write-csv.ts'
import type { Records } from '../../records/records.ts'
import { allAccounts } from '../../storage/access/account-rows.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import type { ExportedFile, FarmInSheets } from './farm-in-sheets.ts'

type Cells = Readonly<Record<string, string>>

/** Short enough to be at hand as a whole. */
export function shortFile({ name, about }: Pick<ExportedFile, 'name' | 'about'>, rows: readonly Cells[]): ExportedFile {
  const head = Object.keys(rows[0] ?? {})
  const lines = [head, ...rows.map((row) => Object.values(row))].map((row) => csvRow(row, ','))
  const bytes = [Buffer.from(byteOrderMark + lines.join(''))]
  return { name, about, form: 'sheet', bytes, count: () => rows.length }
}

/** What the farm says of itself, who has an account, and the vocabularies; nothing that is secret. */
export async function* otherFiles({ snapshot, records, zone }: FarmInSheets): AsyncGenerator<ExportedFile> {
  const settings = Object.entries(await readFarmSettings(snapshot))
  yield shortFile(
    { name: 'farm.csv', about: 'What the farm says of itself' },
    settings.map(([name, value]) => ({ name, value: String(value) })),
  )
  yield shortFile({ name: 'vocabularies.csv', about: 'The lists that terms belong to' }, vocabulariesOf(records))
  const accounts = (await allAccounts(snapshot)).map(viewOf)
  if (accounts.length === 0) return
  yield shortFile(
    { name: 'users.csv', about: 'Who has an account, without passwords' },
    accounts.map((account) => userRow(account, zone)),
  )
}

const vocabulariesOf = ({ vocabularies, farm }: Records): readonly Cells[] =>
  [...vocabularies].map(([machine_name, id]) => {
    const { title: name = '', description = '' } = farm.records.term.bundles[machine_name] ?? {}
    return { id: String(id), machine_name, name, description }
  })

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

const userRow = ({ uid, role, blocked, isService, created, ...account }: AccountView, zone: string): Cells => ({
  id: String(uid),
  name: account.name,
  mail: account.mail,
  role: role ?? '',
  blocked: yesOrNo(blocked),
  is_a_program: yesOrNo(isService),
  language: account.language,
  timezone: account.timezone,
  created: isoTime(created, zone),
  uuid: account.uuid,
})

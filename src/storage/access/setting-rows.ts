import type { Reading, Writing } from '../database.ts'
import { preparedChange, preparedFirst } from '../prepared.ts'

interface Setting {
  readonly name: string
  readonly value: string
}

export async function findSetting(rows: Reading, name: string): Promise<string | undefined> {
  return (await settingNamed(rows, { name }))?.value
}

const settingNamed = preparedFirst((rows, { name }: { readonly name: string }) =>
  rows.selectFrom('setting').select('value').where('name', '=', name),
)

export async function putSetting(rows: Writing, name: string, value: string): Promise<void> {
  await insertOrChange(rows, { name, value })
}

const insertOrChange = preparedChange((rows, { name, value }: Setting) =>
  rows
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
)

/** Of many that race to set it first, true for exactly one. */
export async function claimSetting(rows: Writing, name: string, value: string): Promise<boolean> {
  return (await insertIfNew(rows, { name, value })) === 1
}

const insertIfNew = preparedChange((rows, setting: Setting) =>
  rows
    .insertInto('setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

import type { Snapshot, Transaction } from '../database.ts'
import { preparedChange, preparedFirst } from '../sql/prepared.ts'

interface Setting {
  readonly name: string
  readonly value: string
}

export async function findSetting(snapshot: Snapshot, name: string): Promise<string | undefined> {
  return (await settingNamed(snapshot, { name }))?.value
}

const settingNamed = preparedFirst((snapshot, { name }: { readonly name: string }) =>
  snapshot.selectFrom('setting').select('value').where('name', '=', name),
)

export async function putSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await insertOrChange(tx, { name, value })
}

const insertOrChange = preparedChange((tx, { name, value }: Setting) =>
  tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
)

/** Of many that race to set it first, true for exactly one. */
export async function claimSetting(tx: Transaction, name: string, value: string): Promise<boolean> {
  return (await insertIfNew(tx, { name, value })) === 1
}

const insertIfNew = preparedChange((tx, setting: Setting) =>
  tx
    .insertInto('setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

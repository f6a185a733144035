import type { Reading, Writing } from '../database.ts'

export async function findSetting(rows: Reading, name: string): Promise<string | undefined> {
  const setting = await rows.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst()
  return setting?.value
}

export async function putSetting(rows: Writing, name: string, value: string): Promise<void> {
  await rows
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Of many that race to set it first, true for exactly one. */
export async function claimSetting(rows: Writing, name: string, value: string): Promise<boolean> {
  const claimed = await rows
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

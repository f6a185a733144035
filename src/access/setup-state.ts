import { anyoneCanLogIn } from '../storage/access/account-rows.ts'
import { claimSetting, findSetting } from '../storage/access/setting-rows.ts'
import type { Writing } from '../storage/database.ts'
import type { Ground } from './ground.ts'

const setupDone = 'setup_done'

export async function isSetupOpen({ database }: Ground): Promise<boolean> {
  return database.read(
    async (rows) => (await findSetting(rows, setupDone)) === undefined && !(await anyoneCanLogIn(rows)),
  )
}

/** Done with the first account, however it came. True for exactly one caller; from then on there is no setup page. */
export async function closeSetup(rows: Writing, now: number): Promise<boolean> {
  return claimSetting(rows, setupDone, String(now))
}

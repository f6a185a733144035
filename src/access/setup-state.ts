import { anyoneCanLogIn } from '../storage/access/account-rows.ts'
import type { Transaction } from '../storage/database.ts'
import { claimSetting, findSetting } from '../storage/settings.ts'
import type { Installation } from './installation.ts'

const setupDone = 'setup_done'

export async function isSetupOpen({ database }: Installation): Promise<boolean> {
  return database.read(
    async (snapshot) => (await findSetting(snapshot, setupDone)) === undefined && !(await anyoneCanLogIn(snapshot)),
  )
}

/** Runs with the first account. Returns true for exactly one caller; from then on there is no setup page. */
export async function closeSetup(tx: Transaction, now: number): Promise<boolean> {
  return claimSetting(tx, setupDone, String(now))
}

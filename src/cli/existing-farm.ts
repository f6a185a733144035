import { accessSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listAccounts } from '../access/accounts.ts'
import { type Caller, callerWith } from '../access/caller.ts'
import type { Installation } from '../access/installation.ts'
import { nameKey } from '../access/names.ts'
import { wallClock } from '../clock.ts'
import { defaultSettings, type ServerSettings } from '../config.ts'
import { openRecords } from '../records/records.ts'
import { newUuid } from '../records/writing/draft.ts'
import type { WriteContext } from '../records/writing/write-context.ts'
import { Refusal } from '../refusal.ts'
import { type ChangeBeginning, type ChangeEnding, inChange, inChangeSet } from '../storage/change-set.ts'
import { NoFarm } from '../storage/disk/cannot-open.ts'
import { refuseLostFarm } from '../storage/disk/lost-farm.ts'
import { requireEdition } from '../storage/farm-state.ts'
import { type OpenOptions, openDatabase } from '../storage/open.ts'
import { codeOf } from '../storage/sql/errors.ts'
import type { FarmValues } from './command.ts'
import { loadFarm } from './modules.ts'
import { withProgress } from './progress.ts'
import { warn } from './terminal.ts'

/** Opens an existing farm. A mistyped directory must not become a new farm, or a backup of nothing. */
export async function inExistingFarm<T>(
  values: FarmValues,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  requireFarm(values)
  return inInstallation(values, work, { ifNone: 'refuse' })
}

/** Does nothing if there is no farm yet, and makes none. */
export async function inFarmIfThere(
  values: FarmValues,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  try {
    await inExistingFarm(values, work)
  } catch (error) {
    if (!(error instanceof NoFarm)) throw error
  }
}

/** For commands that only read or back up: they do not wait for pending migrations. */
export async function inFarmEvenIfIncomplete<T>(
  values: FarmValues,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  requireFarm(values)
  return inInstallation(values, work, { ifNone: 'refuse', ifIncomplete: 'open-as-it-is' })
}

export function requireFarm({ data, database }: FarmValues): void {
  if (database !== undefined) return
  refuseLostFarm(data)
  try {
    accessSync(join(data, 'farm.sqlite'))
  } catch (error) {
    throw codeOf(error) === 'EACCES'
      ? new Refusal(
          'forbidden',
          `This user may not look into ${resolve(data)}. Run the command as its owner, such as with sudo -u.`,
        )
      : new NoFarm(resolve(data), '--data')
  }
}

export async function openInstallation(settings: ServerSettings, opening: OpenOptions = {}): Promise<Installation> {
  const farm = await loadFarm(settings.modules)
  const database = await withProgress((report) =>
    openDatabase(settings, wallClock, { kept: (copy) => warn(upgraded(copy)), ...opening, report }),
  )
  return { farm, database, clock: wallClock, settings }
}

export const upgraded = (copy: string): string =>
  `This release changes the tables of the farm. The farm as it was before is kept in ${copy}`

/** Opens the farm beside a server that may be running, and closes it again. */
export async function inInstallation<T>(
  values: FarmValues,
  work: (installation: Installation) => Promise<T>,
  opening: OpenOptions = {},
): Promise<T> {
  const { data, database = null, module: modules = [] } = values
  const made = (place: string) => warn(`A new farm was made in ${place}.`)
  const installation = await openInstallation({ ...defaultSettings, data, database, modules }, { made, ...opening })
  try {
    return await work(installation)
  } finally {
    await installation.database.close()
  }
}

interface ChangeOptions {
  /** The account recorded as the author of the changes. Default: the farm itself. */
  readonly author?: string | undefined
  /** A dry run rolls everything back. */
  readonly ending?: ChangeEnding
}

/** Changes records in one transaction and as one change set. */
export async function inOneChange<T>(
  installation: Installation,
  { author, ending = 'kept' }: ChangeOptions,
  work: (work: WriteContext) => Promise<T>,
): Promise<T> {
  const records = await openRecords(installation)
  const caller = await callerCalled(installation, author)
  const verify = ({ edition }: ChangeBeginning) => requireEdition(records, edition)
  return inChange(records.database, { beside: 'others', ending, verify }, async (tx) => {
    const now = records.clock()
    const given = { id: newUuid(now), at: now, uid: caller.uid, client: null, request: null }
    return inChangeSet(tx, given, (set) => work({ installation: records, tx, caller, set }))
  })
}

/** Everyone who can run commands here has every permission. */
export async function callerCalled(installation: Installation, name: string | undefined): Promise<Caller> {
  if (name === undefined) return callerWith({ uid: 0, name: '', role: 'manager' }, 'cookie')
  const account = (await listAccounts(installation)).find((one) => nameKey(one.name) === nameKey(name))
  if (account === undefined)
    throw new Refusal('not-found', `There is no account named "${name}": \`furrow user list\` lists them.`)
  return callerWith({ ...account, role: 'manager' }, 'cookie')
}

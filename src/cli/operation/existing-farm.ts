import { accessSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { NoFarm } from '../../storage/disk/cannot-open.ts'
import { refuseLostFarm } from '../../storage/disk/lost-farm.ts'
import { codeOf } from '../../storage/sql/errors.ts'
import type { FarmValues } from '../farm-options.ts'
import { inInstallation } from '../open-installation.ts'

/** Opens a farm that is there. A mistyped directory must not end as a new farm, or a backup of nothing. */
export async function inExistingFarm<T>(
  values: FarmValues,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  requireFarm(values)
  return inInstallation(values, work, { ifNone: 'refuse' })
}

/** The same where a farm may not be there yet: then nothing is done, and none is made. */
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

/** The same for those who only look at it or save it: they need not wait until its tables can be brought up to date. */
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

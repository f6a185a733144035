import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { House } from '../../doors/http/house.ts'
import { Refusal } from '../../refusal.ts'
import type { FarmValues } from '../farm-options.ts'
import { inHouse } from '../open-house.ts'

/** Opens a farm that is there. A mistyped directory must not end as a new farm, or a backup of nothing. */
export async function inExistingFarm<T>(values: FarmValues, work: (house: House) => Promise<T>): Promise<T> {
  if (values.database === undefined && !existsSync(join(values.data, 'farm.sqlite'))) {
    throw new Refusal('not-found', `There is no farm in ${resolve(values.data)}. Say where it is with --data.`)
  }
  return inHouse(values, work)
}

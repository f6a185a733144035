import { wallClock } from '../clock.ts'
import { defaultSettings, type Settings } from '../config.ts'
import type { House } from '../doors/http/house.ts'
import { type Opening, openDatabase } from '../storage/open.ts'
import type { FarmValues } from './farm-options.ts'
import { loadFarm } from './modules.ts'
import { withProgress } from './operation/progress.ts'
import { warn } from './terminal.ts'

export async function openHouse(settings: Settings, opening: Opening = {}): Promise<House> {
  const farm = await loadFarm(settings.modules)
  const database = await withProgress((report) =>
    openDatabase(settings, wallClock, { kept: (copy) => warn(upgraded(copy)), ...opening, report }),
  )
  return { farm, database, clock: wallClock, settings }
}

export const upgraded = (copy: string): string =>
  `This release changes the tables of the farm. The farm as it was before is kept in ${copy}`

/** Opens the farm beside a server that may be running, and closes it again. */
export async function inHouse<T>(
  values: FarmValues,
  work: (house: House) => Promise<T>,
  opening: Opening = {},
): Promise<T> {
  const { data, database = null, module: modules = [] } = values
  const made = (place: string) => warn(`A new farm was made in ${place}.`)
  const house = await openHouse({ ...defaultSettings, data, database, modules }, { made, ...opening })
  try {
    return await work(house)
  } finally {
    await house.database.close()
  }
}

import { wallClock } from '../clock.ts'
import { defaultSettings, type Settings } from '../config.ts'
import type { House } from '../doors/http/house.ts'
import { openDatabase } from '../storage/open.ts'
import type { FarmValues } from './farm-options.ts'
import { loadFarm } from './modules.ts'
import { withProgress } from './operation/progress.ts'

export async function openHouse(settings: Settings): Promise<House> {
  const farm = await loadFarm(settings.modules)
  const database = await withProgress((report) => openDatabase(settings, wallClock, report))
  return { farm, database, clock: wallClock, settings }
}

/** Opens the farm beside a server that may be running, and closes it again. */
export async function inHouse<T>(values: FarmValues, work: (house: House) => Promise<T>): Promise<T> {
  const { data, database = null, module: modules = [] } = values
  const house = await openHouse({ ...defaultSettings, data, database, modules })
  try {
    return await work(house)
  } finally {
    await house.database.close()
  }
}

import type { Installation } from '../access/installation.ts'
import { wallClock } from '../clock.ts'
import { defaultSettings, type Settings } from '../config.ts'
import { type OpenOptions, openDatabase } from '../storage/open.ts'
import type { FarmValues } from './farm-options.ts'
import { loadFarm } from './modules.ts'
import { withProgress } from './operation/progress.ts'
import { warn } from './terminal.ts'

export async function openInstallation(settings: Settings, opening: OpenOptions = {}): Promise<Installation> {
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

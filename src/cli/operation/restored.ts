import { resolve } from 'node:path'
import { wallClock } from '../../clock.ts'
import { restoreFarm } from '../../records/moving/restore-farm.ts'
import type { ArchiveSource } from '../../storage/backup/manifest.ts'
import { placeName } from '../../storage/disk/cannot-open.ts'
import { type FarmValues, farmOptions } from '../farm-options.ts'
import { loadFarm } from '../modules.ts'
import { flag } from '../option.ts'
import { say } from '../terminal.ts'
import { contentsOf } from './contents.ts'
import { withProgress } from './progress.ts'

export const arrivalOptions = {
  ...farmOptions,
  'keep-unknown': flag({ help: 'Take in records of modules that are not installed, as they are' }),
}

type ArrivalValues = FarmValues & { readonly 'keep-unknown': boolean }

/** Makes what is in a backup or an export the farm of the given place, and says what came and what was there before. */
export async function arrive(
  source: ArchiveSource,
  values: ArrivalValues,
  ifOccupied: 'refuse' | 'keep-aside',
): Promise<void> {
  const { database = null, module: modules = [] } = values
  const place = { data: resolve(values.data), database }
  const farm = await loadFarm(modules)
  const ifUnknown = values['keep-unknown'] ? 'keep' : 'refuse'
  const { manifest, aside } = await withProgress((report) =>
    restoreFarm(source, { place, farm, clock: wallClock, report, ifOccupied, ifUnknown }),
  )
  say(`The farm in ${placeName(place)} now is what was in ${resolve(source.name)}: ${contentsOf(manifest)}.`)
  if (aside !== null) say(`What was there before is kept in ${aside}.`)
}

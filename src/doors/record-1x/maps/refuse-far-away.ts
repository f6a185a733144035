import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../../../access/caller.ts'
import { searchFor } from '../../../records/finding/find.ts'
import type { PageRequest } from '../../../records/finding/paging.ts'
import type { Records } from '../../../records/records.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { filtersIn } from '../intake/filters.ts'
import { foundRecords } from '../sheets/found-records.ts'
import { FarmPlaces } from './far.ts'
import { areaVocabulary, type MapImport } from './map-import.ts'
import type { SentMap } from './sent-areas.ts'

interface Sent {
  readonly caller: Caller
  readonly map: SentMap
  readonly wish: MapImport
}

/** Refuses a map that lies far away from all areas of the farm, where that was not said. */
export async function refuseFarAway(installation: Records, { caller, map, wish }: Sent): Promise<void> {
  if (wish.far === 'ok') return
  const filters = filtersIn(installation, installation.farm.records.term, [
    { name: 'bundle', brackets: [], value: areaVocabulary },
    { name: 'geofield', brackets: ['ne'], value: '' },
  ])
  const sorting = { path: 'id', direction: 'asc' } as const
  const search = (paging: PageRequest) => searchFor(installation, caller, { type: 'term', filters, sorting, ...paging })
  const places = new FarmPlaces()
  const time = atPresent(installation.clock())
  await installation.database.read(async (snapshot) => {
    for await (const areas of foundRecords(snapshot, { type: 'term', time, search })) {
      for (const area of areas) places.add(area)
      await nextTurn()
    }
  })
  places.refuseFar(map.areas)
}

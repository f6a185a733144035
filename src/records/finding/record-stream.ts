import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import type { MatchPage } from './find.ts'
import type { PageRequest } from './paging.ts'

/** Ids that are looked for at a time, and records that are read at a time. */
const [idsAtOnce, recordsAtOnce] = [10_000, 100]

interface RecordSearch {
  readonly type: RecordTypeName
  readonly time: PointInTime
  readonly search: (paging: PageRequest) => (snapshot: Snapshot, time: PointInTime) => Promise<MatchPage>
}

/** All records that a search finds, in its order, a few at a time. */
export async function* foundRecords(
  snapshot: Snapshot,
  { type, time, search }: RecordSearch,
): AsyncGenerator<readonly StoredRecord[]> {
  for (let page = 0, count = 1; page * idsAtOnce < count; page += 1) {
    const found = await search({ page, limit: idsAtOnce })(snapshot, time)
    count = found.count
    for (let start = 0; start < found.ids.length; start += recordsAtOnce) {
      const ids = found.ids.slice(start, start + recordsAtOnce)
      const records = await recordsByIds(snapshot, type, ids)
      yield ids.flatMap((id) => records.get(id) ?? [])
    }
  }
}

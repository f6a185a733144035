import type { Snapshot } from '../database.ts'
import type { Period } from '../records/logs-between.ts'
import { toTarget } from '../records/path.ts'
import { ask, type Fragment, fragment, listed, paced } from '../sql/fragment.ts'
import { inSlices } from '../sql/slices.ts'

interface Naming {
  readonly target: number
  readonly log: number
  readonly timestamp: number
}

const toAreas = ['area', 'movement.area'].map((field) => toTarget('log', { field, target: 'term' }))
const toAssets = toTarget('log', { field: 'asset', target: 'asset' })

const during = ({ from, to }: Period): Fragment =>
  fragment`log.status = 'done' and log.timestamp >= ${from} and log.timestamp < ${to}`

/** The done logs of a period that took place in an area or moved something there. */
export const logsNamingArea = async (snapshot: Snapshot, area: number, period: Period): Promise<readonly number[]> =>
  (
    await ask<Pick<Naming, 'log'>>(
      snapshot,
      fragment`select distinct log.id as log from reference join log on log.id = reference.source_id
        where reference.path in (${listed(toAreas)}) and reference.target_id = ${area}
          and ${paced('log.id')}${during(period)}`,
    )
  ).map(({ log }) => log)

/** The done logs of a period that are about these assets. */
export const logsNamingAssets = (
  snapshot: Snapshot,
  assets: readonly number[],
  period: Period,
): Promise<readonly Naming[]> =>
  inSlices(assets, (slice) =>
    ask<Naming>(
      snapshot,
      fragment`select reference.target_id as target, log.id as log, log.timestamp as timestamp
        from reference join log on log.id = reference.source_id
        where reference.path = ${toAssets} and reference.target_id in (${listed(slice)})
          and ${paced('log.id')}${during(period)}`,
    ),
  )

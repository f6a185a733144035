import type { JSX } from 'preact'
import { dotted } from '../../look/names.ts'
import { assetsNamedIn, timeOf } from '../../store/row.ts'
import { placesOf } from '../../store/stays.ts'
import type { KeptRecord } from '../../store/types.ts'
import type { AssetLogs } from './asset-logs.ts'
import { Happened, ToDo } from './happened.tsx'
import { movedTo } from './log-words.ts'
import { say } from './say.ts'
import { nameOfArea, nameOfAsset } from './shown.tsx'
import { TimelineRow } from './timeline-row.tsx'

interface AssetTimelineProps {
  readonly asset: KeptRecord
  readonly logs: AssetLogs
}

/** What happened to an asset, by itself and with its groups, and what is to be done. */
export function AssetTimeline({ asset, logs }: AssetTimelineProps): JSX.Element {
  const { plans, groups: present, soFar, timeline } = logs
  return (
    <div class="record-happened book">
      <ToDo plans={plans} aside={(log) => asideOf(asset, log, present)} />
      <Happened title={say('record.happened')} soFar={soFar}>
        {timeline.map(({ log, groups }) => (
          <TimelineRow log={log} aside={asideOf(asset, log, groups)} key={log.uuid} />
        ))}
      </Happened>
    </div>
  )
}

/** "with Milkers · from Hill 1" */
function asideOf({ id }: KeptRecord, log: KeptRecord, groups: readonly string[]): string {
  const named = assetsNamedIn(log)
  const together = groups.filter((group) => named.includes(group)).map(nameOfAsset)
  const before = movedTo(log).length === 0 ? [] : placesOf(id, timeOf(log) - 1).flatMap(({ place }) => place ?? [])
  return dotted([
    together.length === 0 ? undefined : say('asset.with', { groups: together.join(', ') }),
    before.length === 0 ? undefined : say('record.from', { places: before.map(nameOfArea).join(', ') }),
  ])
}

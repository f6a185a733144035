import type { JSX } from 'preact'
import { Loading } from '../../look/loading.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { isOnFarm } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { Happened, ToDo } from './happened.tsx'
import { useLogsSoFar } from './logs-so-far.ts'
import { say } from './say.ts'
import { TimelineRow } from './timeline-row.tsx'
import { whoWords } from './who.ts'

/** What happened in an area, and what is to be done there. */
export function AreaTimeline({ area }: { readonly area: KeptRecord }): JSX.Element {
  const { id, uuid } = area
  const soFar = useLogsSoFar({
    queries: [{ area: id }],
    filters: isOnFarm(area) ? async () => [`area[uuid]=${uuid}`, `movement[area][uuid]=${uuid}`] : null,
  })
  const plans = useLogs({ area: id, done: false, limit: 100 })
  if (plans === null || soFar.logs === null)
    return (
      <div class="record-happened book">
        <Loading />
      </div>
    )
  return (
    <div class="record-happened book">
      <ToDo plans={plans} aside={whoWords} />
      <Happened title={say('area.happened')} soFar={soFar}>
        {soFar.logs.map((log) => (
          <TimelineRow log={log} aside={whoWords(log)} key={log.uuid} />
        ))}
      </Happened>
    </div>
  )
}

import type { KeptRecord } from '../store/record.ts'
import { day, dayAndClock, now } from '../words/format.ts'
import { say } from './say.ts'
import { timing } from './timing.tsx'

const moment = 120

/** "Now, in Bed 3 · lot" */
export function timeLine(area: KeptRecord | undefined): string {
  const when = timing()
  const time =
    when.kind === 'planned' ? day(when.at) : now() - when.at < moment ? say('entry.now') : dayAndClock(when.at)
  return area === undefined ? time : `${time}, ${say('entry.harvest.in', { place: area.name })}`
}

import type { ComponentChildren, JSX } from 'preact'
import { aboutOf, dotted, labelOf } from '../../look/names.ts'
import { Section } from '../../look/section.tsx'
import { today } from '../../look/today.ts'
import { assets } from '../../store/local-copy.ts'
import { idsIn, isDone, type KeptRecord, timeOf } from '../../store/record.ts'

import { dayOfWeek, daysBetween, farmTime } from '../../words/format.ts'
import { LogRow, Ring } from '../list/log-row.tsx'
import { Clock } from '../list/when.tsx'
import type { Day } from './days.ts'
import { say } from './say.ts'

/** The logs of a day under its name, or more of a day that has it already. */
export function DayOfLogs({ day: { day, logs, goesOn } }: { readonly day: Day }): JSX.Element {
  const rows = logs.map((log) => <LoggedRow key={log.uuid} log={log} at={<Clock at={timeOf(log)} />} />)
  if (goesOn) return <ul>{rows}</ul>
  return <Section title={dayName(farmTime(day))}>{rows}</Section>
}

function dayName(at: number): string {
  const ago = daysBetween(at, today.value)
  if (ago === 0) return say('shell.today')
  return ago === 1 ? say('records.yesterday') : dayOfWeek(at)
}

interface LoggedRowProps {
  readonly log: KeptRecord
  /** For the margin of what is done: its hour, or its day. */
  readonly at: ComponentChildren
}

export function LoggedRow({ log, at }: LoggedRowProps): JSX.Element {
  return <LogRow log={log} margin={isDone(log) ? at : <Ring />} second={secondLine(log)} />
}

function secondLine(log: KeptRecord): JSX.Element {
  const { lot_number: lot } = log.fields
  const known = dotted([
    isDone(log) ? undefined : say('records.planned'),
    labelOf(log),
    aboutOf(log),
    typeof lot === 'string' ? say('records.lot', { lot }) : undefined,
  ])
  return (
    <>
      {known}
      {lacksLot(log) && (
        <>
          {' · '}
          <span class="due">{say('records.no-lot')}</span>
        </>
      )}
    </>
  )
}

/** Milk and eggs may go without; what was grown is asked for its lot. */
function lacksLot(log: KeptRecord): boolean {
  if (log.bundle !== 'farm_harvest' || !isDone(log) || log.fields.lot_number !== undefined) return false
  return idsIn(log.fields.asset).some((id) => assets.value.get(id)?.bundle === 'planting')
}

import type { ComponentChildren, JSX } from 'preact'
import { harvestBundle, plantingBundle } from '../../../src/farm/bundle-names.ts'
import { today } from '../../look/day.ts'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { pageOf } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { choiceLabel, dotted, labelOf, summaryOf } from '../../look/names.ts'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { sizeText } from '../../look/place/area-size.ts'
import { assets, terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, isArea, isDone, type LocalRecord, tagsOf, timeOf } from '../../store/record.ts'
import { isTagOverdue } from '../../store/search.ts'
import { contentsOf, placesOf } from '../../store/stays.ts'
import { dayOfWeek, daysBetween, farmTime, isoDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { Clock, LogRow, Ring, When } from '../log-row.tsx'

/** Logs of a day under its heading, or more of them without it. */
export function DayOfLogs({ day: { day, logs, goesOn } }: { readonly day: LogDay }): JSX.Element {
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
  readonly log: LocalRecord
  /** Margin of a done log: time or day. */
  readonly at: ComponentChildren
}

function LoggedRow({ log, at }: LoggedRowProps): JSX.Element {
  return <LogRow log={log} margin={isDone(log) ? at : <Ring />} second={secondLine(log)} />
}

function secondLine(log: LocalRecord): JSX.Element {
  const known = dotted([isDone(log) ? undefined : say('records.planned'), summaryOf(log)])
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

/** True for a harvest of a planting without a lot; milk and eggs need none. */
function lacksLot(log: LocalRecord): boolean {
  if (log.bundle !== harvestBundle || !isDone(log) || log.fields.lot_number !== undefined) return false
  return idsIn(log.fields.asset).some((id) => assets.value.get(id)?.bundle === plantingBundle)
}

interface LogDay {
  /** "2026-06-16" on the farm. */
  readonly day: string
  readonly logs: readonly LocalRecord[]
  /** True if an earlier page has the heading of the day. */
  readonly goesOn: boolean
}

/** Groups logs by day; `before` is the log in front of them. */
export function daysOf(logs: readonly LocalRecord[], before: LocalRecord | undefined): readonly LogDay[] {
  const days: { day: string; logs: LocalRecord[]; goesOn: boolean }[] = []
  const earlier = before === undefined ? null : dayOf(before)
  for (const log of logs) {
    const day = dayOf(log)
    const present = days.at(-1)
    if (present?.day === day) present.logs.push(log)
    else days.push({ day, logs: [log], goesOn: present === undefined && earlier === day })
  }
  return days
}

function dayOf(log: LocalRecord): string {
  return isoDay(timeOf(log))
}

interface NameRowProps {
  readonly record: LocalRecord
}

export function NameRow({ record }: NameRowProps): JSX.Element {
  if (record.type === 'asset') return <AssetRow record={record} />
  return isArea(record) ? <AreaRow record={record} /> : <TermRow record={record} />
}

function AssetRow({ record }: NameRowProps): JSX.Element {
  const tags = tagsOf(record)
  const places = placesOf(record.id).map(({ place }) => terms.value.get(place ?? '')?.name)
  const archived = isArchived(record) ? say('records.archived') : undefined
  const count = daysBetween(Number(record.fields.date ?? 0), today.value)
  // Older animals have no tag because the farm keeps none.
  const age = tags.length === 0 && count < 366 ? say('records.age', { count }) : undefined
  return (
    <Row
      to={pageOf(record)}
      margin={<Icon name={iconOfAsset(record)} />}
      title={record.name}
      second={
        <>
          {dotted([labelOf(record), ...places, ...tags.filter((tag) => tag !== record.name), archived, age])}
          {age !== undefined && isTagOverdue(record) && (
            <>
              {' · '}
              <span class="late">{say('records.tag-overdue')}</span>
            </>
          )}
        </>
      }
    />
  )
}

function AreaRow({ record }: NameRowProps): JSX.Element {
  const { area_type: type } = record.fields
  const count = contentsOf(record.id).length
  return (
    <Row
      to={pageOf(record)}
      margin={<AreaShape area={record} />}
      title={<span class="place">{record.name}</span>}
      second={dotted([
        typeof type === 'string' ? choiceLabel('area_types', type) : undefined,
        sizeText(record),
        count > 0 ? say('records.here', { count }) : undefined,
        isArchived(record) ? say('records.archived') : undefined,
      ])}
    />
  )
}

function TermRow({ record }: NameRowProps): JSX.Element {
  return <Row to={pageOf(record)} title={record.name} second={labelOf(record)} />
}

/** Row of any kind on its own: a log shows its day. */
export function RecordRow({ record }: { readonly record: LocalRecord }): JSX.Element {
  return record.type === 'log' ? (
    <LoggedRow log={record} at={<When at={timeOf(record)} />} />
  ) : (
    <NameRow record={record} />
  )
}

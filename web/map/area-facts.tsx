import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { iconOfLog } from '../look/icon-of.ts'
import { InPencil } from '../look/in-pencil.tsx'
import { Link } from '../look/link.tsx'
import { isBeforeCopy } from '../look/moment.ts'
import { cameFrom, type Occupant, occupantsOf } from '../look/place/occupants.ts'
import { generation, logs, people } from '../store/local-copy.ts'
import { idsIn, type KeptRecord, timeOf } from '../store/record.ts'

import { clock, day, daysBetween, now } from '../words/format.ts'
import { say } from './say.ts'
import { shownDay, shownMoment } from './time.ts'

const mostOccupants = 3
const lastLogs = 2

/** Who is in an area, since when and from where, and what was done there last: at the time that the map shows. */
export function AreaFacts({ area }: { readonly area: KeptRecord }): JSX.Element {
  const at = shownMoment()
  const occupants = occupantsOf(area.id, at)
  const done = useLastLogs(area.id, at)
  const more = occupants.length - mostOccupants
  return (
    <ul class="facts-of-area">
      {isBeforeCopy(at) && <li class="soft nobody">{say('shell.before-copy')}</li>}
      {occupants.length === 0 && !isBeforeCopy(at) && (
        <li class="soft nobody">{say(shownDay.value === undefined ? 'map.area.nobody' : 'map.area.nobody-then')}</li>
      )}
      {occupants.slice(0, mostOccupants).map((occupant) => (
        <OccupantRow key={occupant.asset.id} occupant={occupant} />
      ))}
      {more > 0 && (
        <li>
          <Link to={`/area/${area.id}`} class="row">
            <span class="m" />
            <span class="t soft">{say('map.area.more', { count: more })}</span>
            <span class="e">
              <Icon name="next" size="small" />
            </span>
          </Link>
        </li>
      )}
      {done.map((log) => (
        <FactRow
          key={log.id}
          to={`/log/${log.id}`}
          icon={<Icon name={iconOfLog(log)} />}
          title={log.name}
          second={logWords(log)}
        />
      ))}
    </ul>
  )
}

function OccupantRow({ occupant }: { readonly occupant: Occupant }): JSX.Element {
  const { asset, icon, count, since, until, waiting } = occupant
  const before = cameFrom(occupant)
  const isOver = until !== null && until <= now()
  const time = isOver
    ? say('map.area.was', { from: day(since), until: day(until) })
    : say('map.area.since', { time: sinceWords(since) })
  return (
    <FactRow
      to={`/asset/${asset.id}`}
      icon={<Icon name={icon} />}
      title={count > 1 ? say('map.area.lot', { name: asset.name, count }) : asset.name}
      second={
        <InPencil waiting={waiting}>
          {[time, ...(before === undefined ? [] : [say('map.area.from', { place: before })])].join(' · ')}
        </InPencil>
      }
    />
  )
}

interface FactRowProps {
  readonly to: string
  readonly icon: JSX.Element
  readonly title: string
  readonly second: ComponentChildren
}

function FactRow({ to, icon, title, second }: FactRowProps): JSX.Element {
  return (
    <li>
      <Link to={to} class="row">
        <span class="m">{icon}</span>
        <span class="t">
          <b>{title}</b>
          <small>{second}</small>
        </span>
        <span class="e">
          <Icon name="next" size="small" />
        </span>
      </Link>
    </li>
  )
}

const sinceWords = (since: number): string => (daysBetween(since, now()) === 0 ? clock(since) : day(since))

function logWords(log: KeptRecord): string {
  const who = idsIn(log.fields.log_owner)
    .map((uid) => people.value.get(uid))
    .filter((name) => name !== undefined)
    .join(', ')
  const when = sinceWords(timeOf(log))
  return who === '' ? when : say('map.area.log-by', { day: when, who })
}

function useLastLogs(area: string, at: number): readonly KeptRecord[] {
  const [found, setFound] = useState<readonly KeptRecord[]>([])
  const moment = Math.floor(at / 3600) * 3600
  const copy = generation.value
  useEffect(() => {
    let isWanted = true
    logs({ area, done: true, before: at + 1, limit: lastLogs }).then((records) => {
      if (isWanted) setFound(records)
    })
    return () => {
      isWanted = false
    }
  }, [area, moment, copy])
  return found
}

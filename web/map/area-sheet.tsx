import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isBeforeCopy } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { iconOfLog } from '../look/icon-of.ts'
import { Link } from '../look/link.tsx'
import { WaitingWords } from '../look/mark.tsx'
import { typeLabel } from '../look/place/area-kind.ts'
import { sizeText } from '../look/place/area-size.ts'
import { type Occupant, occupantsOf, previousPlaceOf } from '../look/place/occupants.ts'
import { route, withQuery } from '../look/router.ts'
import { useCopy } from '../look/use-logs.ts'
import { logs, mayWrite, people } from '../store/local-copy.ts'
import { idsIn, type LocalRecord, timeOf } from '../store/record.ts'
import { clock, day, daysBetween, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import type { DrawnArea } from './drawn-area.ts'
import { addressOfArea, shownDay, shownMoment } from './map-state.ts'

interface AreaSheetProps {
  readonly area: LocalRecord
  readonly neighbours: Neighbours
}

/** Sheet of the tapped area. */
export function AreaSheet({ area, neighbours }: AreaSheetProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [area.id])
  return (
    <>
      <span class="grip" />
      <div class="sheet-head">
        <h2 ref={heading} tabIndex={-1}>
          {area.name}
        </h2>
        <Neighbour side="west" area={neighbours.west} />
        <Neighbour side="east" area={neighbours.east} />
        <Link to={withQuery({ area: null })} class="icon-btn" label={say('shell.close')}>
          <Icon name="close" />
        </Link>
      </div>
      <div class="sheet-line">
        <span class="soft">{aboutArea(area)}</span>
        <Link to={pageOn(area.id, shownDay.value)} class="btn plain small">
          {say('map.area.all')}
        </Link>
      </div>
      <AreaFacts area={area} />
      {mayWrite() && shownDay.value === undefined && <Acts area={area.id} />}
    </>
  )
}

/** If the user came to choose a destination, the first action is the move. */
function Acts({ area }: { readonly area: string }): JSX.Element {
  const asset = route.value.query.get('asset')
  return (
    <div class="two">
      <Link to={`/add/move?${asset === null ? '' : `asset=${asset}&`}area=${area}`} class="btn tall">
        <Icon name="move" />
        {say('act.move-here')}
      </Link>
      <Link to={`/add?area=${area}`} class="btn main-do">
        <Icon name="plus" />
        {say('act.log-here')}
      </Link>
    </div>
  )
}

/** Page of the area on the shown day; a day before the copy is read from the server. */
const pageOn = (area: string, day: string | undefined): string =>
  `/area/${area}${day === undefined ? '' : `?at=${day}`}`

/** "Paddock · 2.84 ha" */
const aboutArea = (area: LocalRecord): string =>
  [typeLabel(area), sizeText(area) ?? ''].filter((words) => words !== '').join(' · ')

interface NeighbourProps {
  readonly side: 'west' | 'east'
  readonly area: DrawnArea | undefined
}

/** Without a neighbour the arrow stays disabled, so that the other one does not jump under the finger. */
function Neighbour({ side, area }: NeighbourProps): JSX.Element {
  const icon = <Icon name={side === 'west' ? 'back' : 'next'} />
  if (area === undefined)
    return (
      <button type="button" class="icon-btn none" disabled aria-label={say(`map.area.no-${side}`)}>
        {icon}
      </button>
    )
  return (
    <Link to={addressOfArea(area.id)} class="icon-btn" label={say(`map.area.${side}`, { name: area.name })}>
      {icon}
    </Link>
  )
}

const mostOccupants = 3
const lastLogs = 2

/** Occupants of an area, since when, from where, and its last logs, at the time shown on the map. */
export function AreaFacts({ area }: { readonly area: LocalRecord }): JSX.Element {
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
  const before = previousPlaceOf(occupant)
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
        <WaitingWords waiting={waiting}>
          {[time, ...(before === undefined ? [] : [say('map.area.from', { place: before })])].join(' · ')}
        </WaitingWords>
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

function logWords(log: LocalRecord): string {
  const who = idsIn(log.fields.log_owner)
    .map((uid) => people.value.get(uid))
    .filter((name) => name !== undefined)
    .join(', ')
  const when = sinceWords(timeOf(log))
  return who === '' ? when : say('map.area.log-by', { day: when, who })
}

function useLastLogs(area: string, at: number): readonly LocalRecord[] {
  const read = () => logs({ area, done: true, before: at + 1, limit: lastLogs })
  return useCopy(read, `${area} ${Math.floor(at / 3600)}`) ?? []
}

export interface Neighbours {
  readonly west?: DrawnArea
  readonly east?: DrawnArea
}

/**
 * Neighbours to the west and east on the same level (paddocks of a paddock). An area straight beside is nearer than
 * one askew. Going east and then west returns where the land allows it.
 */
export function neighboursOf(area: DrawnArea, candidates: Iterable<DrawnArea>): Neighbours {
  const found: { west?: DrawnArea; east?: DrawnArea } = {}
  const least = { west: Infinity, east: Infinity }
  for (const other of candidates) {
    if (other.id === area.id) continue
    const side = isWestOf(other, area) ? 'west' : 'east'
    const distance = distanceBetween(area, other)
    if (distance >= least[side]) continue
    least[side] = distance
    found[side] = other
  }
  return found
}

/** Of two areas straight above one another, the lower one counts as west. */
const isWestOf = (one: DrawnArea, other: DrawnArea): boolean =>
  one.middle[0] === other.middle[0] ? one.middle[1] < other.middle[1] : one.middle[0] < other.middle[0]

const distanceBetween = (one: DrawnArea, other: DrawnArea): number =>
  Math.hypot(one.middle[0] - other.middle[0], 2 * (one.middle[1] - other.middle[1]))

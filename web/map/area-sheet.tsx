import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { sizeText } from '../look/place/area-size.ts'
import { typeLabel } from '../look/place/type-label.ts'
import { route, withQuery } from '../look/router.ts'
import { mayWrite } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'
import { AreaFacts } from './area-facts.tsx'
import type { DrawnArea } from './drawn-area.ts'
import type { Neighbours } from './neighbours.ts'
import { say } from './say.ts'
import { addressOfArea } from './state.ts'
import { shownDay } from './time.ts'

interface AreaSheetProps {
  readonly area: KeptRecord
  readonly neighbours: Neighbours
}

/** What a tap on the map opens. */
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

/** Whoever came here to choose a place for somebody moves them. */
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

/** The same day there: of one before the copy it asks the farm. */
const pageOn = (area: string, day: string | undefined): string =>
  `/area/${area}${day === undefined ? '' : `?at=${day}`}`

/** "Paddock · 2.84 ha" */
const aboutArea = (area: KeptRecord): string =>
  [typeLabel(area), sizeText(area) ?? ''].filter((words) => words !== '').join(' · ')

interface NeighbourProps {
  readonly side: 'west' | 'east'
  readonly area: DrawnArea | undefined
}

/** Where nothing lies on that side, the arrow stays in its place and says so: the other must not jump under the finger. */
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

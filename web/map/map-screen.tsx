import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { map } from '../../src/words/en/map.ts'
import { Chip } from '../look/chip.tsx'
import { wide } from '../look/desk.ts'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { Empty, Title } from '../look/page.tsx'
import { wktOf } from '../look/place/shapes.ts'
import { go, route, withQuery } from '../look/router.ts'
import { mayWrite } from '../store/local-copy.ts'
import { firstStepsPending } from '../store/local-storage.ts'
import { addWords, say } from '../words/say.ts'
import { AreaList } from './area-list.tsx'
import { areaTree } from './area-tree.ts'
import { parseCoordinates } from './coordinates.ts'
import { readDayFromAddress, showsList, stopTime } from './map-state.ts'
import { MapView } from './map-view.tsx'
import { NewAreaLink, useHalfDrawn } from './new-area-link.tsx'

addWords(map)

/** Map and area list: side by side on a desk, one at a time on a phone. */
export function MapScreen(): JSX.Element {
  useSignalEffect(() => {
    route.value
    readDayFromAddress()
  })
  useEffect(() => stopTime, [])
  const { byId } = areaTree.value
  if (byId.size === 0) return <EmptyMap />
  const isDrawn = canDraw && [...byId.values()].some((area) => wktOf(area).length > 0)
  if (wide.value)
    return (
      <div class="map-page split">
        <div class="pane book">
          <AreaList />
        </div>
        <div class="map-pane">{isDrawn ? <MapView /> : <NoMap />}</div>
      </div>
    )
  if (showsList() || !isDrawn)
    return (
      <div class="pane book">
        {isDrawn ? <ToMap /> : <NoMap />}
        <AreaList />
      </div>
    )
  return (
    <div class="map-page">
      <Title text={say('map.title')} class="out" />
      <MapView />
    </div>
  )
}

const canDraw = document.createElement('canvas').getContext('2d') !== null

function ToMap(): JSX.Element {
  return (
    <div class="to-map">
      <Chip icon="map" onPress={() => go(withQuery({ view: null }))}>
        {say('tree.to-map')}
      </Chip>
    </div>
  )
}

function NoMap(): JSX.Element {
  return (
    <div class="no-map">
      <p class="soft">{say(canDraw ? 'map.undrawn' : 'map.no-canvas')}</p>
      {canDraw && mayWrite() && <WhereIsFarm />}
    </div>
  )
}

const outline = '30,84 200,52 334,110 338,380 286,520 60,540 22,330'
const columns = [20, 100, 180, 260, 340]
const rows = [34, 114, 194, 274, 354, 434, 514, 594]

/** Farm without areas: an empty grid, and ways to add the first ones. */
export function EmptyMap(): JSX.Element {
  return (
    <div class="map-page empty-map">
      <Title text={say('map.title')} class="out" />
      <svg class="squared" viewBox="0 0 360 628" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path class="grid" d={[...columns.map((x) => `M${x} 0V628`), ...rows.map((y) => `M0 ${y}H360`)].join('')} />
        <polygon class="a a-property" points={outline} />
      </svg>
      <Empty text={say('map.empty')}>{mayWrite() && <FirstOnes />}</Empty>
    </div>
  )
}

function FirstOnes(): JSX.Element {
  return (
    <>
      {useHalfDrawn() && <NewAreaLink />}
      {firstStepsPending() && (
        <Link to="/setup" class="btn main-do">
          {say('today.first-steps')}
        </Link>
      )}
      <WhereIsFarm />
      <small>{say('map.empty-how')}</small>
      <div class="options">
        <Link to="/import" class="btn">
          {say('map.empty-import')}
        </Link>
        <a class="btn plain" href="/docs/maps">
          {say('map.empty-docs')}
        </a>
      </div>
    </>
  )
}

type Trouble = 'insecure' | 'missing' | 'denied' | 'failed'

const patience = 20_000

/** Place of the first area: this device, typed coordinates, or skipped. */
export function WhereIsFarm(): JSX.Element {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const goThere = (event: Event) => {
    event.preventDefault()
    const place = parseCoordinates(typed)
    if (place === undefined) setFault(say('map.empty-unread'))
    else go(addressAt(place))
  }
  return (
    <form class="where-is-farm" onSubmit={goThere} aria-label={say('map.empty-where')}>
      <b>{say('map.empty-where')}</b>
      <HereButton onTrouble={(trouble) => setFault(say(`map.position.${trouble}`))} />
      <div class="field">
        <input
          aria-label={say('map.empty-typed')}
          placeholder={say('map.empty-example')}
          value={typed}
          autocomplete="off"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="btn plain">
          {say('map.empty-go')}
        </button>
      </div>
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <Link to="/draw" class="btn plain">
        {say('map.empty-skip')}
      </Link>
    </form>
  )
}

const addressAt = ([longitude, latitude]: readonly [number, number]): string => `/draw?at=${latitude},${longitude}`

function HereButton({ onTrouble }: { readonly onTrouble: (trouble: Trouble) => void }): JSX.Element {
  const [isLooking, setLooking] = useState(false)
  useEffect(() => {
    if (!isLooking) return
    const fail = (trouble: Trouble) => {
      setLooking(false)
      onTrouble(trouble)
    }
    if (!isSecureContext) return fail('insecure')
    if (!('geolocation' in navigator)) return fail('missing')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { longitude, latitude } }) => go(addressAt([longitude, latitude])),
      ({ code, PERMISSION_DENIED }) => fail(code === PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, timeout: patience },
    )
  }, [isLooking])
  return (
    <button type="button" class="btn tall" disabled={isLooking} onClick={() => setLooking(true)}>
      <Icon name="locate" />
      {say(isLooking ? 'map.empty-looking' : 'map.empty-here')}
    </button>
  )
}

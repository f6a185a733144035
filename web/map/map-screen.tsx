import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { wktOf } from '../look/place/shapes.ts'
import { go, route, withQuery } from '../look/router.ts'
import { Title } from '../look/title.tsx'
import { wide } from '../look/wide.ts'
import { mayWrite } from '../store/rights.ts'
import { areaTree } from './area-tree.ts'
import { EmptyMap } from './empty-map.tsx'
import { MapView } from './map-view.tsx'
import { say } from './say.ts'
import { showsList } from './state.ts'
import { followAddress, leaveTime } from './time.ts'
import { Tree } from './tree.tsx'
import { WhereIsFarm } from './where-is-farm.tsx'

/** The farm as a map and as a list of its areas: beside one another on a desk, one at a time on a phone. */
export function MapScreen(): JSX.Element {
  useSignalEffect(() => {
    route.value
    followAddress()
  })
  useEffect(() => leaveTime, [])
  const { byId } = areaTree.value
  if (byId.size === 0) return <EmptyMap />
  const isDrawn = canDraw && [...byId.values()].some((area) => wktOf(area).length > 0)
  if (wide.value)
    return (
      <div class="map-page split">
        <div class="pane book">
          <Tree />
        </div>
        <div class="map-pane">{isDrawn ? <MapView /> : <NoMap />}</div>
      </div>
    )
  if (showsList() || !isDrawn)
    return (
      <div class="pane book">
        {isDrawn ? <ToMap /> : <NoMap />}
        <Tree />
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

import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { wide } from '../look/desk.ts'
import { go, withQuery } from '../look/router.ts'
import { me } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'
import { isoDay, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { AreaSheet, type Neighbours, neighboursOf } from './area-sheet.tsx'
import { areaTree } from './area-tree.ts'
import { LayersSheet } from './layers-sheet.tsx'
import { MapControls } from './map-controls.tsx'
import { chooseArea, chosenArea, colours, showDay, shownDay } from './map-state.ts'
import { NewAreaLink } from './new-area-link.tsx'
import { RestKey } from './rest.tsx'
import { TimePanel } from './time-panel.tsx'
import { type FarmMapInUse, useFarmMap } from './use-farm-map.ts'

/** Map with controls and the sheet of an area or the time. */
export function MapView(): JSX.Element {
  const hidden = useSignal(0)
  const inUse = useFarmMap(hidden)
  const chooseMiddle = ({ key }: KeyboardEvent) => {
    const middle = key === 'Enter' ? inUse.plan.value?.middleArea() : undefined
    if (middle !== undefined) chooseArea(middle.id)
  }
  return (
    <section class="map-view" aria-label={say('map.title')}>
      <div
        class="map"
        ref={inUse.target}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map
        tabIndex={0}
        role="application"
        aria-busy={inUse.isLoading.value}
        aria-label={say('map.of', { farm: me.value?.farm.name ?? '' })}
        onKeyDown={chooseMiddle}
      />
      <MapChips />
      {colours() === 'rest' && (
        <div class="rest-legend">
          <b class="small">{say('map.rest.title')}</b>
          <RestKey />
        </div>
      )}
      <div class="map-below">
        <MapControls inUse={inUse}>{hasRoom() && <NewAreaLink />}</MapControls>
        <SheetOfMap inUse={inUse} hidden={hidden} />
      </div>
    </section>
  )
}

function MapChips(): JSX.Element {
  const isChoosing = useSignal(false)
  return (
    <div class="map-chips">
      <Chip icon="layers" onPress={() => (isChoosing.value = true)}>
        {say('map.layers')}
      </Chip>
      <Chip icon="time" pressed={shownDay.value !== undefined} onPress={toggleTime}>
        {say('map.time')}
      </Chip>
      {!wide.value && (
        <span class="far">
          <Chip icon="records" onPress={() => go(withQuery({ view: 'list' }))}>
            {say('map.list')}
          </Chip>
        </span>
      )}
      {isChoosing.value && <LayersSheet onClose={() => (isChoosing.value = false)} />}
    </div>
  )
}

function toggleTime(): void {
  if (shownDay.value === undefined) go(withQuery({ at: isoDay(now()) }))
  else showDay(undefined)
}

/** A desk has the link in the list; a phone has no room for it beside a sheet. */
const hasRoom = (): boolean => !wide.value && shownDay.value === undefined && chosenArea() === undefined

interface SheetOfMapProps {
  readonly inUse: FarmMapInUse
  /** Pixels of the map covered by the sheet. */
  readonly hidden: Signal<number>
}

/** On a desk the list shows the chosen area, so only the time has a sheet. */
function SheetOfMap({ inUse, hidden }: SheetOfMapProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => watchHeight(box.current, hidden), [])
  const chosen = areaTree.value.byId.get(chosenArea() ?? '')
  return (
    <div class="map-sheets" ref={box}>
      {shownDay.value !== undefined ? (
        <section class="map-sheet" aria-label={say('map.time')}>
          <TimePanel isoDate={shownDay.value} area={chosen} />
        </section>
      ) : (
        chosen !== undefined &&
        !wide.value && (
          <section class="map-sheet" aria-label={chosen.name}>
            <AreaSheet area={chosen} neighbours={neighboursIn(inUse, chosen)} />
          </section>
        )
      )}
    </div>
  )
}

function neighboursIn({ plan, loads }: FarmMapInUse, { id }: LocalRecord): Neighbours {
  loads.value
  const area = plan.value?.area(id)
  return area === undefined ? {} : neighboursOf(area, plan.value?.peersOf(id) ?? [])
}

function watchHeight(box: HTMLElement | null, height: Signal<number>): (() => void) | undefined {
  if (box === null) return undefined
  const measure = () => {
    height.value = box.offsetHeight
  }
  measure()
  const observer = new ResizeObserver(measure)
  observer.observe(box)
  return () => observer.disconnect()
}

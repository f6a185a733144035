import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { IconName } from '../look/icon.tsx'
import { type Occupant, occupantsOf } from '../look/place/occupants.ts'
import { assets, generation } from '../store/local-copy.ts'
import { isAnimal, placesOf } from '../store/stays.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { areaTree } from './area-tree.ts'
import type { Tag, TagsOf } from './draw-tags.ts'
import { FarmMap } from './farm-map.ts'
import { chooseArea, chosenArea, chosenLayer, closeArea, colours, shownMoment } from './map-state.ts'
import { positionState, stopPosition } from './position.ts'
import { restAt, restStep } from './rest.tsx'

export interface FarmMapInUse {
  readonly target: RefObject<HTMLDivElement | null>
  /** Null until the element exists. */
  readonly plan: Signal<FarmMap | null>
  /** Increases when areas were loaded. */
  readonly loads: Signal<number>
  readonly isLoading: Signal<boolean>
  readonly metresPerPixel: Signal<number>
}

/** Map in an element that follows the store and the address. */
export function useFarmMap(hidden: Signal<number>): FarmMapInUse {
  const target = useRef<HTMLDivElement>(null)
  const plan = useSignal<FarmMap | null>(null)
  const metresPerPixel = useSignal(1)
  const loads = useSignal(0)
  const isLoading = useSignal(true)

  useEffect(() => {
    if (target.current === null) return undefined
    const farmMap = new FarmMap(target.current, {
      tapped: (area) => (area === undefined ? closeArea() : chooseArea(area)),
      scaled: (metres) => {
        metresPerPixel.value = metres
      },
      loaded: (state) => {
        isLoading.value = state !== 'all'
        loads.value = loads.peek() + 1
      },
    })
    plan.value = farmMap
    return () => {
      plan.value = null
      farmMap.destroy()
      stopPosition()
    }
  }, [])

  useSignalEffect(() => {
    generation.value
    const at = shownMoment()
    const state = positionState.value
    plan.value?.show({
      chosen: chosenArea(),
      tagsOf: tagsAt(at, colours()),
      occupied: occupiedAreas(at),
      restOf: colours() === 'rest' ? (id) => restStep(restAt(id, at)) ?? 'none' : undefined,
      position: state.kind === 'found' ? state.position : undefined,
      below: hidden.value,
    })
  })
  useSignalEffect(() => {
    plan.value?.load(areaTree.value)
  })
  useSignalEffect(() => {
    plan.value?.showGround(chosenLayer())
  })
  useSignalEffect(() => {
    const chosen = chosenArea()
    hidden.value
    loads.value
    if (chosen !== undefined) plan.value?.reveal(chosen, 'gently')
  })

  return { target, plan, loads, isLoading, metresPerPixel }
}

const mostTags = 2

/** Tags by icon with counts: animals first, then the highest count. Animals of further kinds are summed. */
export function countTags(
  occupants: readonly Pick<Occupant, 'icon' | 'count' | 'isAnimal' | 'waiting'>[],
): readonly Tag[] {
  const counts = new Map<IconName, number>()
  for (const { icon, count } of occupants) counts.set(icon, (counts.get(icon) ?? 0) + count)
  const inPencil = new Set(occupants.filter(({ waiting }) => waiting).map(({ icon }) => icon))
  const ofAnimals = new Set(occupants.filter(({ isAnimal }) => isAnimal).map(({ icon }) => icon))
  const kinds = [...counts]
    .map(([icon, count]) => ({ icon, count, isAnimal: ofAnimals.has(icon) }))
    .sort((one, other) => Number(other.isAnimal) - Number(one.isAnimal) || other.count - one.count)
  const animals = kinds.filter(({ isAnimal }) => isAnimal)
  const alone = animals.length > mostTags ? mostTags - 1 : mostTags
  const others = animals.slice(alone).reduce((sum, { count }) => sum + count, 0)
  return [
    ...kinds.slice(0, alone).map(({ icon, count, isAnimal }) => ({
      icon,
      text: figure(count),
      isAnimal,
      ...(inPencil.has(icon) && { waiting: true as const }),
    })),
    ...(others > 0 ? [{ icon: undefined, text: `+${figure(others)}`, isAnimal: true }] : []),
  ]
}

/** Ids of the areas that animals are in. */
function occupiedAreas(at: number): readonly string[] {
  const animals = [...assets.value.keys()].filter(isAnimal)
  return [...new Set(animals.flatMap((id) => placesOf(id, at)).flatMap(({ place }) => place ?? []))]
}

/** Tags below area names at a time; computed once per area. */
function tagsAt(at: number, colours: 'kind' | 'rest'): TagsOf {
  const known = new Map<string, readonly Tag[]>()
  const tags = (areas: readonly string[]) =>
    colours === 'rest' ? restTags(areas, at) : countTags(areas.flatMap((id) => occupantsOf(id, at)))
  return (areas) => {
    const key = areas.join()
    const farmMap = known.get(key) ?? tags(areas)
    known.set(key, farmMap)
    return farmMap
  }
}

/** Days of rest of the first area; else the animals in any of them. */
function restTags(areas: readonly string[], at: number): readonly Tag[] {
  const rest = restAt(areas[0] ?? '', at)
  if (typeof rest === 'number')
    return [{ icon: undefined, text: say('map.rest.days', { count: rest }), isAnimal: false }]
  const grazed = areas.filter((id) => restAt(id, at) === 'grazed')
  return countTags(grazed.flatMap((id) => occupantsOf(id, at)).filter(({ isAnimal }) => isAnimal))
}

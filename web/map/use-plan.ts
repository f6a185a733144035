import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { generation } from '../store/copy.ts'
import { areaTree } from './area-tree.ts'
import { chosenLayer } from './chosen-layer.ts'
import { Plan } from './plan.ts'
import { positionState, stopPosition } from './position.ts'
import { restAt, restStep } from './rest.ts'
import { chooseArea, chosenArea, closeArea, colours } from './state.ts'
import { tagsAt } from './tags.ts'
import { shownMoment } from './time.ts'

export interface PlanInUse {
  readonly target: RefObject<HTMLDivElement | null>
  /** Null until the page is there. */
  readonly plan: Signal<Plan | null>
  /** Grows when areas were loaded. */
  readonly loads: Signal<number>
  readonly isLoading: Signal<boolean>
  readonly metresPerPixel: Signal<number>
}

/** A map in an element, which shows what the store and the address say. */
export function usePlan(hidden: Signal<number>): PlanInUse {
  const target = useRef<HTMLDivElement>(null)
  const plan = useSignal<Plan | null>(null)
  const metresPerPixel = useSignal(1)
  const loads = useSignal(0)
  const isLoading = useSignal(true)

  useEffect(() => {
    if (target.current === null) return undefined
    const made = new Plan(target.current, {
      tapped: (area) => (area === undefined ? closeArea() : chooseArea(area)),
      scaled: (metres) => {
        metresPerPixel.value = metres
      },
      loaded: (state) => {
        isLoading.value = state !== 'all'
        loads.value = loads.peek() + 1
      },
    })
    plan.value = made
    return () => {
      plan.value = null
      made.destroy()
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

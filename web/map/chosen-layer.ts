import { signal } from '@preact/signals'
import { me } from '../store/local-copy.ts'
import type { MapLayer } from './plan.ts'

/** Which layer this device shows below the areas, by farm; it asks nobody until somebody chooses one. */
const chosen = signal<string | undefined>(undefined)
let readFor: string | undefined

const keyOf = (farm: string): string => `furrow-layer-${farm}`

export function chosenLayer(): MapLayer | undefined {
  const farm = me.value?.farm.uuid
  if (farm !== undefined && farm !== readFor) {
    readFor = farm
    chosen.value = localStorage.getItem(keyOf(farm)) ?? undefined
  }
  return me.value?.map_layers.find(({ name }) => name === chosen.value)
}

export function chooseLayer(layer: MapLayer | undefined): void {
  chosen.value = layer?.name
  const farm = me.peek()?.farm.uuid
  if (farm === undefined) return
  if (layer === undefined) localStorage.removeItem(keyOf(farm))
  else localStorage.setItem(keyOf(farm), layer.name)
}

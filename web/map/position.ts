import { signal } from '@preact/signals'
import { onMap } from '../look/place/mercator.ts'

/** In metres of the map; accuracy in metres on the ground. */
export interface Position {
  readonly at: readonly [number, number]
  readonly accuracy: number
}

type PositionState =
  | { readonly kind: 'off' | 'waiting' | 'insecure' | 'missing' | 'denied' | 'failed' }
  | { readonly kind: 'found'; readonly position: Position; readonly isFirst: boolean }

export const positionState = signal<PositionState>({ kind: 'off' })

let watch: number | undefined

/** Follows the device until `stopPosition`; where it cannot, the state says why. */
export function startPosition(): void {
  stopPosition()
  tell(whyNot() ?? 'waiting')
  if (whyNot() !== undefined) return
  watch = navigator.geolocation.watchPosition(
    ({ coords: { longitude, latitude, accuracy } }) => {
      const [x = 0, y = 0] = onMap([longitude, latitude])
      positionState.value = {
        kind: 'found',
        position: { at: [x, y], accuracy },
        isFirst: positionState.peek().kind !== 'found',
      }
    },
    ({ code, PERMISSION_DENIED }) => tell(code === PERMISSION_DENIED ? 'denied' : 'failed'),
    { enableHighAccuracy: true, maximumAge: 5_000, timeout: 30_000 },
  )
}

export function stopPosition(): void {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch)
  watch = undefined
  tell('off')
}

function whyNot(): 'insecure' | 'missing' | undefined {
  if (!isSecureContext) return 'insecure'
  return 'geolocation' in navigator ? undefined : 'missing'
}

function tell(kind: Exclude<PositionState['kind'], 'found'>): void {
  positionState.value = { kind }
}

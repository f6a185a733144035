import { signal } from '@preact/signals'
import { onMap, stretchAt } from '../look/place/mercator.ts'
import { type Pencil, pixelX, pixelY } from './draw-areas.ts'

/** Map metres; accuracy in ground metres. */
export interface MapPosition {
  readonly at: readonly [number, number]
  readonly accuracy: number
}

type PositionState =
  | { readonly kind: 'off' | 'waiting' | 'insecure' | 'missing' | 'denied' | 'failed' }
  | { readonly kind: 'found'; readonly position: MapPosition; readonly isFirst: boolean }

export const positionState = signal<PositionState>({ kind: 'off' })

let watch: number | undefined

/** Follows the device until `stopPosition`; on failure the state says why. */
export function startPosition(): void {
  stopPosition()
  setState(whyNot() ?? 'waiting')
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
    ({ code, PERMISSION_DENIED }) => setState(code === PERMISSION_DENIED ? 'denied' : 'failed'),
    { enableHighAccuracy: true, maximumAge: 5_000, timeout: 30_000 },
  )
}

export function stopPosition(): void {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch)
  watch = undefined
  setState('off')
}

function whyNot(): 'insecure' | 'missing' | undefined {
  if (!isSecureContext) return 'insecure'
  return 'geolocation' in navigator ? undefined : 'missing'
}

function setState(kind: Exclude<PositionState['kind'], 'found'>): void {
  positionState.value = { kind }
}

/** A dot and the circle of its accuracy. */
export function drawPosition({ context, window, theme }: Pencil, { at: [x, y], accuracy }: MapPosition): void {
  const [left, top] = [pixelX(window, x), pixelY(window, y)]
  const radius = (accuracy * stretchAt(y).east) / window.resolution
  context.fillStyle = theme.water
  context.strokeStyle = theme.water
  context.lineWidth = 1.5
  context.beginPath()
  context.arc(left, top, radius, 0, 2 * Math.PI)
  context.globalAlpha = 0.14
  context.fill()
  context.globalAlpha = 1
  context.stroke()
  context.beginPath()
  context.arc(left, top, 8, 0, 2 * Math.PI)
  context.strokeStyle = theme.sheet
  context.lineWidth = 3
  context.fill()
  context.stroke()
}

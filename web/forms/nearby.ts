import { type ReadonlySignal, signal } from '@preact/signals'

/** In degrees; accuracy in metres. */
export interface DevicePosition {
  readonly longitude: number
  readonly latitude: number
  readonly accuracy: number
}

type HereState = 'unasked' | 'asking' | 'found' | 'refused' | 'missing'

const position = signal<DevicePosition | null>(null)
const state = signal<HereState>('unasked')

/** Where this device was when it last looked, and whether it could. */
export const devicePosition: ReadonlySignal<DevicePosition | null> = position
export const locateState: ReadonlySignal<HereState> = state

/** Looks where this device is, if nobody has to be asked for that. */
export async function locateIfAllowed(): Promise<void> {
  const allowed = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)
  if (allowed?.state === 'granted') await locate()
}

const second = 1000

/** Looks where this device is; the browser asks the person, the first time. */
export function locate(): Promise<DevicePosition | null> {
  if (!isSecureContext || !('geolocation' in navigator)) {
    state.value = 'missing'
    return Promise.resolve(null)
  }
  state.value = 'asking'
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { longitude, latitude, accuracy } }) => {
        position.value = { longitude, latitude, accuracy }
        state.value = 'found'
        resolve(position.value)
      },
      ({ code, PERMISSION_DENIED }) => {
        state.value = code === PERMISSION_DENIED ? 'refused' : 'missing'
        resolve(null)
      },
      { enableHighAccuracy: true, maximumAge: 5 * second, timeout: 20 * second },
    )
  })
}

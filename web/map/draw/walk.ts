import { useEffect, useState } from 'preact/hooks'
import type { Corner } from './corners.ts'

interface Fix {
  readonly corner: Corner
  /** Metres. */
  readonly accuracy: number
  /** Milliseconds, by the clock of the device. */
  readonly at: number
}

export type Walk =
  | { readonly kind: 'waiting' | 'insecure' | 'missing' | 'denied' | 'failed' }
  | { readonly kind: 'good' | 'rough' | 'old'; readonly fix: Fix }

export const mostAccuracy = 10
const oldest = 5_000
const second = 1_000

/** What a fix is worth: one that is rough or old would put the corner where nobody stands. */
export function worthOf(fix: Pick<Fix, 'accuracy' | 'at'>, now: number): 'good' | 'rough' | 'old' {
  if (now - fix.at > oldest) return 'old'
  return fix.accuracy > mostAccuracy ? 'rough' : 'good'
}

/** Follows the device, and keeps its screen on. */
export function useWalk(isOn: boolean): Walk {
  const [fix, setFix] = useState<Fix | null>(null)
  const [trouble, setTrouble] = useState<'waiting' | 'denied' | 'failed'>('waiting')
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn || whyNot() !== undefined) return undefined
    const watch = navigator.geolocation.watchPosition(
      ({ coords: { longitude, latitude, accuracy }, timestamp }) => {
        setFix({ corner: [longitude, latitude], accuracy, at: timestamp })
        setNow(Date.now())
      },
      ({ code, PERMISSION_DENIED }) => setTrouble(code === PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, maximumAge: 0 },
    )
    const ticking = setInterval(() => setNow(Date.now()), second)
    return () => {
      navigator.geolocation.clearWatch(watch)
      clearInterval(ticking)
    }
  }, [isOn])
  useEffect(() => (isOn ? keepScreenOn() : undefined), [isOn])
  const reason = whyNot()
  if (reason !== undefined) return { kind: reason }
  return fix === null ? { kind: trouble } : { kind: worthOf(fix, now), fix }
}

function whyNot(): 'insecure' | 'missing' | undefined {
  if (!isSecureContext) return 'insecure'
  return 'geolocation' in navigator ? undefined : 'missing'
}

/** The system takes the lock back when another app is looked at. */
function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | undefined
  const ask = async () => {
    if (document.visibilityState === 'visible')
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
  }
  void ask()
  document.addEventListener('visibilitychange', ask)
  return () => {
    document.removeEventListener('visibilitychange', ask)
    void lock?.release()
  }
}

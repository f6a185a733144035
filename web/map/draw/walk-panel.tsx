import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { say } from '../../words/say.ts'
import { Figures, Hint, UndoAndFinish, wholeFigures } from './corner-panels.tsx'
import type { DrawingState } from './drawing.ts'
import { type Corner, formOf } from './geometry.ts'
import { lengthText } from './lengths.tsx'
import type { Corners } from './use-corners.ts'

interface WalkPanelProps {
  readonly walk: WalkState
  readonly drawing: DrawingState
  readonly corners: Corners
  readonly fault?: string | undefined
  readonly onFinish: () => void
}

/** Sets a corner at the user's position; the button shows the accuracy. */
export function WalkPanel({ walk, drawing, corners, fault, onFinish }: WalkPanelProps): JSX.Element {
  const { main, second } = wholeFigures(drawing.corners, formOf(drawing.corners))
  return (
    <>
      <Figures main={main === '' ? say('draw.nothing-yet') : main} second={second} />
      <Hint corners={corners} drawing={drawing} fault={fault}>
        {walk.kind === 'good' ? say('draw.walk-hint') : troubleOf(walk)}
      </Hint>
      <button
        type="button"
        class="btn main-do fill"
        disabled={walk.kind !== 'good'}
        onClick={() => walk.kind === 'good' && corners.addAt(walk.fix.corner)}
      >
        <Icon name="plus" />
        {'fix' in walk ? say('draw.walk-add', { accuracy: lengthText(walk.fix.accuracy) }) : say('draw.add')}
      </button>
      <UndoAndFinish drawing={drawing} corners={corners} onFinish={onFinish} />
    </>
  )
}

function troubleOf(walk: Exclude<WalkState, { readonly kind: 'good' }>): string {
  if (walk.kind !== 'rough' || !('fix' in walk)) return say(`draw.walk.${walk.kind as 'old' | 'waiting'}`)
  return say('draw.walk.rough', { accuracy: lengthText(walk.fix.accuracy), most: lengthText(mostAccuracy) })
}

interface Fix {
  readonly corner: Corner
  readonly accuracy: number
  /** Milliseconds on the device's clock. */
  readonly at: number
}

type WalkState =
  | { readonly kind: 'waiting' | 'insecure' | 'missing' | 'denied' | 'failed' }
  | { readonly kind: 'good' | 'rough' | 'old'; readonly fix: Fix }

const mostAccuracy = 10
const oldest = 5_000
const second = 1_000

/** Rates a GPS fix: a rough or old one would misplace the corner. */
export function fixQuality(fix: Pick<Fix, 'accuracy' | 'at'>, now: number): 'good' | 'rough' | 'old' {
  if (now - fix.at > oldest) return 'old'
  return fix.accuracy > mostAccuracy ? 'rough' : 'good'
}

/** Follows the position and keeps the screen on. */
export function useWalk(isOn: boolean): WalkState {
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
  return fix === null ? { kind: trouble } : { kind: fixQuality(fix, now), fix }
}

function whyNot(): 'insecure' | 'missing' | undefined {
  if (!isSecureContext) return 'insecure'
  return 'geolocation' in navigator ? undefined : 'missing'
}

/** The system releases the wake lock when the user switches apps. */
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

import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { keepTyped } from '../../forms/keep-typed.ts'
import { Mark } from '../../look/mark.tsx'
import { dropDraft, readDraft } from '../../store/drafts.ts'
import { clock, day, daysBetween, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'

interface SinceProps {
  /** Seconds. */
  readonly at: number
  readonly onStartAnew: () => void
}

/** Says that a draft was restored. */
export function DraftNotice({ at, onStartAnew }: SinceProps): JSX.Element {
  const time = daysBetween(at, now()) === 0 ? clock(at) : day(at)
  return (
    <div class="banner ask round">
      <Mark kind="waiting" />
      <span>{say('draw.since', { time })}</span>
      <button type="button" class="btn plain far" onClick={onStartAnew}>
        {say('draw.start-anew')}
      </button>
    </div>
  )
}

export interface DrawingDraft<State> {
  readonly state: State
  /** Seconds: start of a restored draft, else null. */
  readonly since: number | null
  readonly change: (change: (before: State) => Partial<State>) => void
  readonly startAnew: () => void
}

interface StoredDraft<State> {
  readonly state: State
  readonly at: number
}

/** Stores every corner as a draft. Null while looking for one. */
export function useDraft<State extends object>(key: string, begin: () => State): DrawingDraft<State> | null {
  const [state, setState] = useState<State | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const latest = useRef<State | null>(null)
  const show = (next: State) => {
    latest.current = next
    setState(next)
  }
  useEffect(() => {
    readDraft<StoredDraft<State>>(key).then((found) => {
      setSince(found?.at ?? null)
      show(found?.state ?? begin())
    })
  }, [key])
  if (state === null) return null
  return {
    state,
    since,
    change: (changed) => {
      const before = latest.current ?? state
      show({ ...before, ...changed(before) })
      void keepTyped(key, { state: latest.current, at: now() })
    },
    startAnew: () => {
      setSince(null)
      show(begin())
      void dropDraft(key)
    },
  }
}

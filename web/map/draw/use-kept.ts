import { useEffect, useRef, useState } from 'preact/hooks'
import { keepTyped } from '../../form/keep-typed.ts'
import { dropDraft, readDraft } from '../../store/drafts.ts'
import { now } from '../../words/format.ts'

export interface Kept<State> {
  readonly state: State
  /** Seconds, where it was begun earlier and is gone on with. */
  readonly since: number | null
  readonly change: (change: (before: State) => Partial<State>) => void
  readonly startAnew: () => void
}

interface Draft<State> {
  readonly state: State
  readonly at: number
}

/** What is drawn outlasts the app: every corner is kept. Null as long as it is looked whether there is something. */
export function useKept<State extends object>(key: string, begin: () => State): Kept<State> | null {
  const [state, setState] = useState<State | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const latest = useRef<State | null>(null)
  const show = (next: State) => {
    latest.current = next
    setState(next)
  }
  useEffect(() => {
    readDraft<Draft<State>>(key).then((found) => {
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

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Change, NewPhoto } from '../store/change.ts'
import { dropDraft, readDraft } from '../store/drafts.ts'
import type { Fields, KeptRecord } from '../store/types.ts'
import { now } from '../words/format.ts'
import { keepTyped } from './keep-typed.ts'

/** What somebody has written so far, with all that is needed to go on with it later. */
export interface Draft {
  /** Of the record that is made, so that saving it twice makes one. */
  readonly uuid: string
  readonly values: Fields
  /** The record as it was read when the writing began. */
  readonly record: KeptRecord | null
  /** What is made along with it, in place. */
  readonly alongside: readonly Change[]
  readonly photos: readonly NewPhoto[]
  /** Seconds: when it was last changed. */
  readonly at: number
}

interface Drafting {
  readonly draft: Draft
  /** Seconds, where it was begun earlier and is gone on with. */
  readonly since: number | null
  readonly change: (change: (before: Draft) => Partial<Draft>) => void
  /** Sets aside what was found. */
  readonly startAnew: () => void
  readonly end: () => Promise<void>
}

/** Keeps what is written at every change under a key; null as long as it is looked whether there is some. */
export function useDraft(key: string | null, atFirst: Draft): Drafting | null {
  const first = useRef(atFirst)
  const [draft, setDraft] = useState<Draft | null>(key === null ? atFirst : null)
  // Two changes may come before the next drawing.
  const latest = useRef<Draft | null>(null)
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    if (key === null) return
    readDraft<Draft>(key).then((found) => {
      setSince(found?.at ?? null)
      setDraft(found ?? first.current)
    })
  }, [key])
  if (draft === null) return null
  const change: Drafting['change'] = (changed) => {
    const before = latest.current ?? draft
    const next = { ...before, ...changed(before), at: now() }
    latest.current = next
    setDraft(next)
    if (key !== null) void keepTyped(key, next)
  }
  return {
    draft,
    since,
    change,
    startAnew: () => {
      latest.current = first.current
      setSince(null)
      setDraft(first.current)
      if (key !== null) dropDraft(key)
    },
    end: async () => {
      if (key !== null) await dropDraft(key)
    },
  }
}

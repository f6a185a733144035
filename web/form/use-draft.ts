import { useEffect, useRef, useState } from 'preact/hooks'
import { replace, route, withQuery } from '../look/router.ts'
import { dropDraft, readDraft } from '../store/drafts.ts'
import type { LocalChange, NewPhoto } from '../store/outbox-entry.ts'
import type { KeptRecord, RecordFields } from '../store/record.ts'
import { now } from '../words/format.ts'
import { keepTyped } from './keep-typed.ts'

/** What somebody has written so far, with all that is needed to go on with it later. */
export interface Draft {
  /** Of the record that is made, so that saving it twice makes one. */
  readonly uuid: string
  readonly values: RecordFields
  /** The record as it was read when the writing began. */
  readonly record: KeptRecord | null
  /** What is made along with it, in place. */
  readonly alongside: readonly LocalChange[]
  readonly photos: readonly NewPhoto[]
  /** Seconds: when it was last changed. */
  readonly at: number
}

interface Drafting {
  readonly draft: Draft
  /** What was begun earlier, until somebody goes on with it or drops it. */
  readonly offer: DraftChoice | null
  readonly change: (change: (before: Draft) => Partial<Draft>) => void
  readonly end: () => Promise<void>
}

export interface DraftChoice {
  readonly found: Draft
  readonly goOn: () => void
  readonly startNew: () => void
}

/** The address of a form that has its draft in it. */
export const resumed = 'draft'

/** Keeps each change under a key. A draft of earlier is offered, unless the address says to go on with it; null while it is looked for. */
export function useDraft(key: string | null, atFirst: Draft): Drafting | null {
  const first = useRef(atFirst)
  const [draft, setDraft] = useState<Draft | null>(key === null ? atFirst : null)
  // Two changes may come before the next drawing.
  const latest = useRef<Draft | null>(null)
  const [found, setFound] = useState<Draft | null>(null)
  useEffect(() => {
    if (key === null) return
    readDraft<Draft>(key).then((kept) => {
      const isResumed = kept !== undefined && route.peek().query.has(resumed)
      setFound(isResumed ? null : (kept ?? null))
      setDraft(isResumed ? kept : first.current)
    })
  }, [key])
  if (draft === null) return null
  const change: Drafting['change'] = (changed) => {
    const before = latest.current ?? draft
    const next = { ...before, ...changed(before), at: now() }
    latest.current = next
    setDraft(next)
    if (key === null) return
    void keepTyped(key, next)
    resume()
  }
  const choose = (chosen: Draft) => {
    latest.current = chosen
    setDraft(chosen)
    setFound(null)
  }
  return {
    draft,
    offer: found && {
      found,
      goOn: () => {
        choose(found)
        resume()
      },
      startNew: () => {
        choose(first.current)
        if (key !== null) void dropDraft(key)
      },
    },
    change,
    end: async () => {
      if (key !== null) await dropDraft(key)
    },
  }
}

/** From now on a reload of the page goes on with it. */
function resume(): void {
  if (!route.peek().query.has(resumed)) replace(withQuery({ [resumed]: '1' }))
}

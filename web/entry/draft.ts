import { useEffect, useRef, useState } from 'preact/hooks'
import { keepTyped } from '../form/keep-typed.ts'
import { address, route } from '../look/router.ts'
import { readDraft } from '../store/drafts.ts'

interface Draft<State> {
  /** What it is about, by its address. */
  readonly subject: string
  readonly address: string
  readonly state: State
}

export const draftKey = (entry: string): string => `entry ${entry}`

interface Drafted<State> {
  readonly state: State
  readonly change: (part: Partial<State>) => void
  /** What stays on the screen for the next one. Nobody has typed it yet, so nothing is kept of it. */
  readonly goOn: (part: Partial<State>) => void
  /** By which it is kept, and ends once it is saved. */
  readonly draft: string
}

/** What is typed into an entry outlasts the app: every change is kept, and is there again for whoever comes back to the same. */
export function useDraft<State extends object>(entry: string, begun: State): Drafted<State> {
  const [state, setState] = useState(begun)
  const latest = useRef(begun)
  const isTouched = useRef(false)
  const show = (next: State) => {
    latest.current = next
    setState(next)
  }
  useEffect(() => {
    readDraft<Draft<State>>(draftKey(entry)).then((draft) => {
      if (draft !== undefined && draft.subject === subject() && !isTouched.current) show(draft.state)
    })
  }, [entry])
  return {
    state,
    change: (part) => {
      isTouched.current = true
      show({ ...latest.current, ...part })
      void keepTyped(draftKey(entry), { subject: subject(), address: address.peek(), state: latest.current })
    },
    goOn: (part) => show({ ...latest.current, ...part }),
    draft: draftKey(entry),
  }
}

const notOfTheSubject: ReadonlySet<string> = new Set(['plan', 'for', 'when', 'pick'])

function subject(): string {
  const { path, query } = route.peek()
  return [path, ...[...query].filter(([name]) => !notOfTheSubject.has(name)).map((pair) => pair.join('='))].join(' ')
}

export async function begunEntry(entry: string): Promise<Draft<unknown> | undefined> {
  return readDraft<Draft<unknown>>(draftKey(entry))
}

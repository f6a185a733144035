import type { ComponentChildren, JSX } from 'preact'
import { say } from '../words/say.ts'

export type MarkKind = 'sent' | 'waiting' | 'offline' | 'needs'

const classes: Readonly<Record<MarkKind, string>> = {
  sent: 'mark sent',
  waiting: 'mark hollow waiting',
  offline: 'mark hollow',
  needs: 'mark needs',
}

/** Dot: sent. Broken ring: waiting. Triangle: needs the user. Never colour alone. */
export function Mark({ kind }: { readonly kind: MarkKind }): JSX.Element {
  return (
    <svg class={classes[kind]} viewBox="0 0 12 12" aria-hidden="true">
      {kind === 'needs' ? <path d="M6 1.5L11.5 11H.5z" stroke-linejoin="round" /> : <circle cx="6" cy="6" r="4.5" />}
    </svg>
  )
}

interface WaitingWordsProps {
  /** Not sent yet. */
  readonly waiting?: true | undefined
  readonly children?: ComponentChildren
}

/** Text with a hidden prefix for screen readers if it waits to be sent. */
export function WaitingWords({ waiting, children }: WaitingWordsProps): JSX.Element {
  if (!waiting) return <>{children}</>
  return (
    <>
      <span class="pen">
        <Mark kind="waiting" />
        {say('act.waiting')}
      </span>
      {children && <> · {children}</>}
    </>
  )
}

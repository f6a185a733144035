import type { JSX } from 'preact'

export type MarkKind = 'sent' | 'waiting' | 'offline' | 'needs'

const classes: Readonly<Record<MarkKind, string>> = {
  sent: 'mark sent',
  waiting: 'mark hollow waiting',
  offline: 'mark hollow',
  needs: 'mark needs',
}

/** Ink is a dot, pencil a broken ring, and what needs a person a triangle: never colour alone. */
export function Mark({ kind }: { readonly kind: MarkKind }): JSX.Element {
  return (
    <svg class={classes[kind]} viewBox="0 0 12 12" aria-hidden="true">
      {kind === 'needs' ? <path d="M6 1.5L11.5 11H.5z" stroke-linejoin="round" /> : <circle cx="6" cy="6" r="4.5" />}
    </svg>
  )
}

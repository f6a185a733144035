import type { ComponentChildren, JSX } from 'preact'

interface EmptyProps {
  /** One sentence. */
  readonly text: string
  /** One button, if there is something to do. */
  readonly children?: ComponentChildren
}

export function Empty({ text, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  )
}

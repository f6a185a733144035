import type { ComponentChildren, JSX } from 'preact'
import { base } from './router.ts'

interface LinkProps {
  /** Below `/app`: "/asset/5". */
  readonly to: string
  readonly class?: string
  readonly label?: string
  readonly current?: 'page' | 'true' | undefined
  /** Before it leads on: what has to happen in answer to the tap itself. */
  readonly onFollow?: () => void
  readonly children: ComponentChildren
}

/** A real link, so that it can be opened in a tab and copied; the router follows it without a new page. */
export function Link({ to, class: classes, label, current, onFollow, children }: LinkProps): JSX.Element {
  return (
    <a href={base + to} class={classes} aria-label={label} aria-current={current} onClick={onFollow}>
      {children}
    </a>
  )
}

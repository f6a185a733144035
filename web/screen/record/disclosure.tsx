import type { ComponentChildren, JSX } from 'preact'
import { replace, route, withQuery } from '../../look/router.ts'

interface DisclosureProps {
  /** In the address while it is open: `?show=history`. */
  readonly name: string
  readonly title: string
  readonly children: () => ComponentChildren
}

/** One tap away: what most do not look for. What it holds is made, and asked for, when it is opened. */
export function Disclosure({ name, title, children }: DisclosureProps): JSX.Element {
  const isOpen = route.value.query.get('show') === name
  return (
    <details
      class="disclosure"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) replace(withQuery({ show: open ? name : null }))
      }}
    >
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}

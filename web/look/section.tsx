import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { figure } from '../words/format.ts'
import { Link } from './link.tsx'

interface SectionProps {
  readonly title: string
  readonly tone?: 'late' | 'pencil'
  readonly count?: number
  readonly link?: { readonly to: string; readonly label: string }
  /** Rows. */
  readonly children: ComponentChildren
}

/** A heading of the notebook and its rows. */
export function Section({ title, tone, count, link, children }: SectionProps): JSX.Element {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div class={tone === undefined ? 'sec' : `sec ${tone}`}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span class="r num">{figure(count)}</span>}
        {link && <Link to={link.to}>{link.label}</Link>}
      </div>
      <ul>{children}</ul>
    </section>
  )
}

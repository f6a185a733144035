import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { Link } from '../../look/link.tsx'
import { withQuery } from '../../look/router.ts'
import { wide } from '../../look/wide.ts'
import type { Figure } from './documents.ts'

/** What the farm is asked for the logs of a figure; its address may have another name on the way here. */
export const logsAskedBy = ({ list }: Figure): string => list.slice(list.indexOf('?') + 1)

/** The one whose logs stand beside the report. */
export const ShownFigure = createContext<string | null>(null)

/** A figure leads to its logs: beside the report where there is room, else to their list. */
export function FigureLink({
  figure,
  children,
}: {
  readonly figure: Figure
  readonly children: ComponentChildren
}): JSX.Element {
  const asked = logsAskedBy(figure)
  const isShown = useContext(ShownFigure) === asked
  return (
    <Link
      to={wide.value ? withQuery({ figure: asked }) : recordsAt(asked)}
      class={isShown ? 'fig on' : 'fig'}
      current={isShown ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}

export const recordsAt = (figure: string): string => `/records?${new URLSearchParams({ of: 'logs', figure })}`

export const LogLink = ({ id, name }: { readonly id: string; readonly name: string }): JSX.Element => (
  <Link to={`/log/${id}`} class="fig name">
    {name}
  </Link>
)

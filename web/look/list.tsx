import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useId } from 'preact/hooks'
import { figure } from '../words/format.ts'
import { beside, lastList, wide } from './desk.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { route } from './router.ts'

interface RowProps {
  /** Target of the row; absent for a row without a link. */
  readonly to?: string
  /** Left margin: time, ring or mark. */
  readonly margin?: ComponentChildren
  readonly title: ComponentChildren
  readonly second?: ComponentChildren
  /** Right edge: icon, picture or figure. */
  readonly end?: ComponentChildren
  /** Action of a tap on the margin. */
  readonly tick?: { readonly label: string; readonly act: () => void } | undefined
}

/** A row of a `ul`, mostly inside a Section. */
export function Row({ to, margin, title, second, end, tick }: RowProps): JSX.Element {
  const choosing = useContext(Choosing)
  const words = (
    <>
      <b>{title}</b>
      {second && <small>{second}</small>}
    </>
  )
  const cells = (
    <>
      <span class="m">{margin}</span>
      <span class="t">{words}</span>
      <span class="e">{end}</span>
    </>
  )
  if (to !== undefined && choosing !== null) return <ChoosableRow to={to} choosing={choosing} words={words} end={end} />
  if (to !== undefined && tick !== undefined)
    return (
      <li class="row">
        <button type="button" class="m" aria-label={tick.label} onClick={tick.act}>
          {margin}
        </button>
        <Link to={to} class="t" current={isShown(to) ? 'true' : undefined}>
          {words}
        </Link>
        <span class="e">{end}</span>
      </li>
    )
  if (to === undefined) return <li class="row">{cells}</li>
  return (
    <li>
      <Link to={to} class="row" current={isShown(to) ? 'true' : undefined}>
        {cells}
      </Link>
    </li>
  )
}

interface ChoosableRowProps extends Pick<RowProps, 'end'> {
  readonly to: string
  readonly choosing: Chooser
  readonly words: JSX.Element
}

/** While choosing several, a tap anywhere in the row ticks it. */
function ChoosableRow({ to, choosing, words, end }: ChoosableRowProps): JSX.Element {
  const isChosen = choosing.isChosen(to)
  return (
    <li>
      <button type="button" class="row" aria-pressed={isChosen} onClick={() => choosing.choose(to)}>
        <span class="m">
          <span class={isChosen ? 'tick on' : 'tick'}>
            <Icon name="check" />
          </span>
        </span>
        <span class="t">{words}</span>
        <span class="e">{end}</span>
      </button>
    </li>
  )
}

function isShown(to: string): boolean {
  const [path] = to.split('?')
  if (path === route.value.path) return true
  const isChoosing = lastList.value.split('?')[0] === route.value.path
  return isChoosing && wide.value && path === beside.value
}

interface SectionProps {
  readonly title: string
  readonly tone?: 'late' | 'pencil'
  readonly count?: number
  readonly link?: { readonly to: string; readonly label: string }
  readonly children: ComponentChildren
}

/** A heading with rows. */
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

/** Selection of several rows, by page path. */
export interface Chooser {
  readonly isChosen: (page: string) => boolean
  readonly choose: (page: string) => void
}

export const Choosing = createContext<Chooser | null>(null)

import { computed, signal } from '@preact/signals'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { say } from '../words/say.ts'
import type { IconName } from './icon.tsx'
import { arriving, route } from './router.ts'

/** `named`: the pane shows the addressed record. `beside`: it is next to that pane. */
export const PaneRole = createContext<'named' | 'beside'>('named')

/** Farm name after each page title. */
export const titleEnd = { farm: '' }

interface TitleProps {
  /** Title of the browser tab and history entry. */
  readonly text: string
  readonly class?: string
  readonly children?: ComponentChildren
}

/** Heading of a screen: sets the page title, and takes the focus after a navigation. */
export function Title({ text, class: classes, children }: TitleProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const paneRole = useContext(PaneRole)
  useEffect(() => {
    if (paneRole === 'named') namePage(text)
  }, [text, paneRole])
  useEffect(() => {
    if (paneRole !== 'named' || !arriving.peek()) return
    arriving.value = false
    heading.current?.focus({ preventScroll: true })
  }, [paneRole])
  return (
    <h1 class={classes} ref={heading} tabIndex={-1}>
      {children ?? text}
    </h1>
  )
}

/** Sets the title of the browser tab. */
export function namePage(text: string): void {
  document.title = [text, titleEnd.farm].filter(Boolean).join(' · ')
}

interface PaneProps {
  readonly class?: string
  /** Distinguishes panes of one address. */
  readonly name: string
  readonly children: ComponentChildren
}

/** Scroll position of each pane, by history entry. */
const scrolled = new Map<string, number>()

/** A scrolling pane that restores its position on Back. */
export function Pane({ class: classes = '', name, children }: PaneProps): JSX.Element {
  const pane = useRef<HTMLDivElement>(null)
  const key = `${route.value.entry} ${name}`
  useLayoutEffect(() => (pane.current === null ? undefined : keepScroll(pane.current, key)), [key])
  return (
    <div class={`pane ${classes}`} ref={pane}>
      {children}
    </div>
  )
}

const patience = 2_000

function keepScroll(pane: HTMLElement, key: string): () => void {
  const wanted = scrolled.get(key) ?? 0
  let until = Date.now() + patience
  const restore = () => {
    if (Date.now() < until) pane.scrollTop = wanted
    if (pane.scrollTop >= wanted) until = 0
  }
  const note = () => {
    if (until === 0 || Date.now() >= until) scrolled.set(key, pane.scrollTop)
  }
  const stop = () => {
    until = 0
  }
  const grown = new MutationObserver(restore)
  grown.observe(pane, { childList: true, subtree: true })
  pane.addEventListener('scroll', note, { passive: true })
  pane.addEventListener('wheel', stop, { passive: true })
  pane.addEventListener('touchstart', stop, { passive: true })
  restore()
  return () => {
    grown.disconnect()
    pane.removeEventListener('scroll', note)
    pane.removeEventListener('wheel', stop)
    pane.removeEventListener('touchstart', stop)
  }
}

interface EmptyProps {
  readonly text: string
  /** At most one button. */
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

const rows = ['first', 'second', 'third', 'fourth', 'fifth']

/** Empty for 200 ms, then grey rows. */
export function Loading(): JSX.Element {
  return (
    <div class="ghosts" role="status">
      <span class="out">{say('shell.loading')}</span>
      {rows.map((row) => (
        <div class="row ghost" key={row} aria-hidden="true">
          <span class="m" />
          <span class="t">
            <b />
            <small />
          </span>
          <span class="e" />
        </div>
      ))}
    </div>
  )
}

/** Link at the left of the strip that leaves a screen. */
export interface UpLink {
  readonly to: string
  readonly label: string
  readonly icon?: IconName
}

const upLinks = signal<readonly UpLink[]>([])

/** Set by screens that override the link: that of a step ends with it, and that of its screen applies again. */
export const ownUp = computed(() => upLinks.value.at(-1) ?? null)

export function useUp({ to, label, icon }: UpLink): void {
  useLayoutEffect(() => {
    const own = { to, label, ...(icon === undefined ? {} : { icon }) }
    upLinks.value = [...upLinks.peek(), own]
    return () => {
      upLinks.value = upLinks.peek().filter((one) => one !== own)
    }
  }, [to, label, icon])
}

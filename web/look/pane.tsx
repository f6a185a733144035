import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { route } from './router.ts'

interface PaneProps {
  readonly class?: string
  /** Tells the panes of one address apart. */
  readonly name: string
  readonly children: ComponentChildren
}

/** How far each pane was scrolled, by entry of the browser's history. */
const scrolled = new Map<string, number>()

/** A part of the page that scrolls by itself, and stands where it stood when one comes back to it. */
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

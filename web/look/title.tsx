import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { arriving } from './router.ts'

/** Whether a pane shows what the address names, or stands beside it. */
export const Standing = createContext<'named' | 'beside'>('named')

/** The name of the farm behind the title of each page. */
export const titleEnd = { farm: '' }

interface TitleProps {
  /** For the browser's tab and history. */
  readonly text: string
  readonly class?: string
  readonly children?: ComponentChildren
}

/** The heading of a screen: names the page, and takes the focus after a navigation. */
export function Title({ text, class: classes, children }: TitleProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  const standing = useContext(Standing)
  useEffect(() => {
    if (standing === 'named') namePage(text)
  }, [text, standing])
  useEffect(() => {
    if (standing !== 'named' || !arriving.peek()) return
    arriving.value = false
    heading.current?.focus({ preventScroll: true })
  }, [standing])
  return (
    <h1 class={classes} ref={heading} tabIndex={-1}>
      {children ?? text}
    </h1>
  )
}

/** In the browser's tab and history. */
export function namePage(text: string): void {
  document.title = [text, titleEnd.farm].filter(Boolean).join(' · ')
}

import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { beside } from '../look/desk.ts'
import { pageOf } from '../look/link.tsx'
import type { LocalRecord } from '../store/record.ts'

interface WindowedProps<Item> {
  readonly items: readonly Item[]
  /** Renders some items; `first` is the index of the first. */
  readonly children: (items: readonly Item[], first: number) => ComponentChildren
  /** Called near the end of the list. */
  readonly onEnd?: () => void
}

const pageLength = 50
const rowHeight = 60
/** Distance from the screen within which pages are rendered. */
const near = '1200px 0px'

/** Virtual list: renders pages near the screen, the others keep their height. */
export function Windowed<Item>({ items, children, onEnd }: WindowedProps<Item>): JSX.Element {
  const pages = Array.from({ length: Math.ceil(items.length / pageLength) }, (_, page) => page * pageLength)
  return (
    <>
      {pages.map((first) => {
        const some = items.slice(first, first + pageLength)
        return (
          <Page key={first} rows={some.length} startsNear={first === 0}>
            {() => children(some, first)}
          </Page>
        )
      })}
      {onEnd && <End onReached={onEnd} key={items.length} />}
    </>
  )
}

interface PageProps {
  readonly rows: number
  readonly startsNear: boolean
  readonly children: () => ComponentChildren
}

function Page({ rows, startsNear, children }: PageProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const height = useRef(rows * rowHeight)
  const [isNear, setNear] = useState(startsNear)
  useEffect(
    () =>
      watch(box.current, (seen, rect) => {
        // It still has its rows, and so its height.
        if (!seen && rect.height > 0) height.current = rect.height
        setNear(seen)
      }),
    [],
  )
  return (
    <div ref={box} style={isNear ? {} : { height: `${height.current}px` }}>
      {isNear && children()}
    </div>
  )
}

function End({ onReached }: { readonly onReached: () => void }): JSX.Element {
  const end = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      watch(end.current, (seen) => {
        if (seen) onReached()
      }),
    [onReached],
  )
  return <div ref={end} />
}

type NearnessCallback = (isNear: boolean, rect: DOMRectReadOnly) => void

function watch(element: Element | null, seen: NearnessCallback): (() => void) | undefined {
  if (element === null) return undefined
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry !== undefined) seen(entry.isIntersecting, entry.boundingClientRect)
    },
    { root: element.closest('.pane'), rootMargin: near },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/** Shows the first record beside the list on a desk; null while the list is loading. */
export function useFirstBeside(records: readonly LocalRecord[] | null): void {
  const isRead = records !== null
  const first = records?.[0]
  const page = first === undefined ? null : pageOf(first)
  useEffect(() => {
    if (isRead) beside.value = page
  }, [isRead, page])
}

const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

interface HasName {
  readonly name: string
}

/** Natural order: "Bed 2" before "Bed 10". */
export const byName = (one: HasName, other: HasName): number => order.compare(one.name, other.name)

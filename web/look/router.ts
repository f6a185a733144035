import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** Everything under here is the app's; the address bar holds the state of every screen. */
export const base = '/app'

interface Route {
  /** Below `/app`: "/", "/log/77". */
  readonly path: string
  readonly query: URLSearchParams
  /** Which entry of the browser's history this is. */
  readonly entry: string
}

const firstEntry = 'first'
const here = signal<Route>(read())
export const route: ReadonlySignal<Route> = here

/** Set by a navigation, until a heading has taken the focus. */
export const arriving = signal(false)

export const address = computed(() => addressOf(here.value))

export function addressOf({ path, query }: Pick<Route, 'path' | 'query'>): string {
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Shows another screen; back leads here again. */
export function go(to: string): void {
  history.pushState({ entry: newEntry() }, '', base + to)
  arrive()
}

/** Changes the address of this screen: a filter, a date. Back does not lead to what it was. */
export function replace(to: string): void {
  history.replaceState(history.state, '', base + to)
  here.value = read()
}

/** The address of this screen with some of its state changed; null takes a state away. */
export function withQuery(changes: Readonly<Record<string, string | null>>): string {
  const { path, query } = here.peek()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') changed.delete(name)
    else changed.set(name, value)
  }
  return addressOf({ path, query: changed })
}

/** The parts of a path that a pattern like "/log/:id" names, or null where it does not fit. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const parts: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    const name = part.startsWith(':') && decoded(text)
    if (name) parts[part.slice(1)] = name
    else if (part !== text) return null
  }
  return parts
}

/** Nothing where it is spelt wrong. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** By this app or another page of the farm, and not by a link from elsewhere. */
export function wasLedHere(): boolean {
  return here.peek().entry !== firstEntry || document.referrer.startsWith(`${location.origin}/`)
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', arrive)
  document.addEventListener('click', followLink)
}

function arrive(): void {
  arriving.value = true
  here.value = read()
}

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return
  if (link.hash !== '' && link.pathname === location.pathname) return
  event.preventDefault()
  go(link.pathname.slice(base.length) + link.search)
}

function read(): Route {
  if (typeof location === 'undefined') return { path: '/', query: new URLSearchParams(), entry: '' }
  const path = location.pathname.slice(base.length).replace(/\/+$/, '') || '/'
  return { path, query: new URLSearchParams(location.search), entry: history.state?.entry ?? firstEntry }
}

function newEntry(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
}

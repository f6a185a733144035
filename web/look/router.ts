import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** Base path of the app; the address holds the state of every screen. */
export const base = '/app'

interface Route {
  /** Path below `/app`: "/", "/log/77". */
  readonly path: string
  readonly query: URLSearchParams
  /** Key of the browser's history entry. */
  readonly entry: string
}

const firstEntry = 'first'
const here = signal<Route>(read())
export const route: ReadonlySignal<Route> = here

/** Set by a navigation, until a heading takes the focus. */
export const arriving = signal(false)

export const address = computed(() => addressOf(here.value))

export function addressOf({ path, query }: Pick<Route, 'path' | 'query'>): string {
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Opens another screen; Back returns. */
export function go(to: string): void {
  history.pushState({ entry: newEntry() }, '', base + to)
  arrive()
}

/** Replaces the address of this screen, for example for a filter. Back skips the old one. */
export function replace(to: string): void {
  history.replaceState(history.state, '', base + to)
  here.value = read()
}

/** Current address with changed query parameters; null removes one. */
export function withQuery(changes: Readonly<Record<string, string | null>>): string {
  const { path, query } = here.peek()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') changed.delete(name)
    else changed.set(name, value)
  }
  return addressOf({ path, query: changed })
}

/** Parameters of a pattern like "/log/:id"; null if the path does not match. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const patternParts = pattern.split('/')
  const pathParts = path.split('/')
  if (patternParts.length !== pathParts.length) return null
  const parts: Record<string, string> = {}
  for (const [index, part] of patternParts.entries()) {
    const text = pathParts[index] ?? ''
    const name = part.startsWith(':') && decoded(text)
    if (name) parts[part.slice(1)] = name
    else if (part !== text) return null
  }
  return parts
}

/** Empty if the encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** True if this app or another page of the farm led here, not a foreign link. */
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

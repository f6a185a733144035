import { signal } from '@preact/signals'
import { startFinding } from '../look/find-field.tsx'
import { go, route, withQuery } from '../look/router.ts'
import { mayWrite } from '../store/local-copy.ts'
import { isoDay, now } from '../words/format.ts'

/** Whether the list of keys is shown. */
export const helping = signal(false)

interface KeyAction {
  readonly words: 'keys.find' | 'keys.add' | 'keys.map' | 'keys.time' | 'keys.help'
  readonly act: () => void
  /** Keys that would be refused do nothing. */
  readonly may?: () => boolean
}

export const actions: Readonly<Record<string, KeyAction>> = {
  '/': { words: 'keys.find', act: startFinding },
  a: { words: 'keys.add', act: () => go('/add'), may: mayWrite },
  m: { words: 'keys.map', act: () => go('/map') },
  t: { words: 'keys.time', act: () => go(todayOnMap()) },
  '?': {
    words: 'keys.help',
    act: () => {
      helping.value = true
    },
  },
}

/** The chosen area stays chosen. */
function todayOnMap(): string {
  const at = isoDay(now())
  return route.peek().path === '/map' ? withQuery({ at }) : `/map?at=${at}`
}

const key = 'furrow-keys'

/** Single keys get in the way of those who speak to their device, so they can be switched off. */
export const keysAct = signal(true)

export function switchKeys(to: 'on' | 'off'): void {
  keysAct.value = to === 'on'
  localStorage.setItem(key, to)
}

export function startKeys(): void {
  keysAct.value = localStorage.getItem(key) !== 'off'
  document.addEventListener('keydown', (event) => {
    const action = actions[event.key]
    if (
      action === undefined ||
      action.may?.() === false ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return
    if (isTypedInto(event.target) || !keysAct.peek() || document.querySelector('dialog[open]')) return
    event.preventDefault()
    action.act()
  })
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

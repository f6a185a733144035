import { signal } from '@preact/signals'
import { startFinding } from '../look/find-field.tsx'
import { go, route, withQuery } from '../look/router.ts'
import { mayWrite } from '../store/local-copy.ts'
import { isoDay, now } from '../words/format.ts'

/** True while the help on keys is open. */
export const helping = signal(false)

interface KeyAction {
  readonly words: 'keys.find' | 'keys.add' | 'keys.map' | 'keys.time' | 'keys.help'
  readonly act: () => void
  /** Keys without permission do nothing. */
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

/** Keeps the chosen area. */
function todayOnMap(): string {
  const at = isoDay(now())
  return route.peek().path === '/map' ? withQuery({ at }) : `/map?at=${at}`
}

const key = 'furrow-keys'

/** Single-key shortcuts can be switched off: they disturb speech input. */
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

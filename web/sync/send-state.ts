import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { outbox, photosWaiting } from '../store/outbox.ts'
import type { Entry, WaitingPhoto } from '../store/outbox-entry.ts'
import { tellTabs } from '../store/tab-channel.ts'
import { sendSignal } from './schedule.ts'

/** State of the sender. */
export type SendState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'under-way' }
  /** Milliseconds: the next try. */
  | { readonly kind: 'pausing'; readonly until: number }
  | { readonly kind: 'resting'; readonly why: 'log-in' | 'no-right' }

const current = signal<SendState>({ kind: 'idle' })

export const sendState: ReadonlySignal<SendState> = current

export function showSendState(next: SendState): void {
  current.value = next
}

export function announceSendState(next: SendState): void {
  showSendState(next)
  tellTabs({ kind: 'sending', sending: next })
}

/** Sends now, by the leading tab. */
export function sendNow(): void {
  sendSignal.wake()
  tellTabs({ kind: 'send-now' })
}

/** Sends now unless offline: unsent entries can still be edited. */
export function sendSoon(): void {
  if (navigator.onLine) sendNow()
}

/** Unsent part of a set. */
export interface UnsentSet {
  readonly set: string
  readonly entries: readonly Entry[]
  readonly photos: readonly WaitingPhoto[]
}

/** In order; photos whose record is sent are sets of their own. */
export const unsent: ReadonlySignal<readonly UnsentSet[]> = computed(() => {
  const sets = new Map<string, UnsentSet>()
  const of = (set: string) => sets.get(set) ?? { set, entries: [], photos: [] }
  for (const entry of outbox.value) {
    const before = of(entry.set)
    sets.set(entry.set, { ...before, entries: [...before.entries, entry] })
  }
  for (const photo of photosWaiting.value) {
    const before = of(photo.set)
    sets.set(photo.set, { ...before, photos: [...before.photos, photo] })
  }
  return [...sets.values()]
})

const needsPerson = ({ entries, photos }: UnsentSet) =>
  [...entries, ...photos].some(({ state }) => state === 'needs-you')

export const needing: ReadonlySignal<readonly UnsentSet[]> = computed(() => unsent.value.filter(needsPerson))

export const waiting: ReadonlySignal<readonly UnsentSet[]> = computed(() =>
  unsent.value.filter((one) => !needsPerson(one)),
)

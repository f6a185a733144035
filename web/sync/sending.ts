import { type ReadonlySignal, signal } from '@preact/signals'
import { tellTabs } from '../store/channel.ts'
import { errand } from './occasions.ts'

/** What becomes of all that waits. */
export type Sending =
  | { readonly kind: 'idle' }
  | { readonly kind: 'under-way' }
  /** Milliseconds: the next try. */
  | { readonly kind: 'pausing'; readonly until: number }
  | { readonly kind: 'resting'; readonly why: 'log-in' | 'no-right' }

const current = signal<Sending>({ kind: 'idle' })

export const sending: ReadonlySignal<Sending> = current

export function showSending(told: Sending): void {
  current.value = told
}

export function announceSending(told: Sending): void {
  showSending(told)
  tellTabs({ kind: 'sending', sending: told })
}

/** Now, by whichever tab speaks to the server. */
export function sendNow(): void {
  errand.ring()
  tellTabs({ kind: 'send-now' })
}

/** Now, unless there is no network at all: what was not on the wire can still be edited as if nobody had seen it. */
export function sendSoon(): void {
  if (navigator.onLine) sendNow()
}

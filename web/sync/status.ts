import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { LockReason } from '../store/database.ts'

/** Times are milliseconds, as `Date.now()` gives them. */
export type Status =
  | { readonly kind: 'starting' }
  /** The first load; `share` goes from 0 to 1. */
  | { readonly kind: 'loading'; readonly share: number }
  /** The copy is current as of that time, and nothing waits. */
  | { readonly kind: 'sent'; readonly at: number }
  /** The server cannot be reached or is busy; `copyOf` is the time of a complete copy. */
  | { readonly kind: 'offline'; readonly copyOf: number | null }
  /** Not logged in, and no copy. */
  | { readonly kind: 'needs-login' }
  /** `waiting`: entries to send after the same account has logged in. */
  | { readonly kind: 'locked'; readonly why: LockReason; readonly waiting: number }
  /** The account may not read records: it needs a role. */
  | { readonly kind: 'no-role' }

export type Notice =
  | { readonly kind: 'plain-http' }
  | { readonly kind: 'logs-dropped'; readonly days: number }
  | { readonly kind: 'no-room' }
  | { readonly kind: 'no-room-for-photos' }
  | { readonly kind: 'photo-unreadable'; readonly name: string }
  | { readonly kind: 'clock-off'; readonly minutes: number }
  /** Unsent entries of another account. */
  | { readonly kind: 'others-wait'; readonly count: number; readonly name: string }
  /** The server was restored from a backup. */
  | { readonly kind: 'lacking'; readonly count: number }
  | { readonly kind: 'new-version' }

const current = signal<Status>({ kind: 'starting' })
const currentNotices = signal<readonly Notice[]>([])
const canShow = signal(false)

export const status: ReadonlySignal<Status> = current

/** True if the screens have data: the copy, or the part of the first load that Today needs. */
export const usable: ReadonlySignal<boolean> = canShow

/** One-time notices. */
export const notices: ReadonlySignal<readonly Notice[]> = currentNotices

const settled = computed(() => usable.value || (status.value.kind !== 'starting' && status.value.kind !== 'loading'))

/** Resolves when the screens have data, or it is clear why not. */
export async function untilSettled(): Promise<void> {
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = settled.subscribe((isSettled) => {
      if (isSettled) resolve()
    })
  })
  stop()
}

export function setStatus(next: Status): void {
  current.value = next
}

export function setUsable(next: boolean): void {
  canShow.value = next
}

export function notice(one: Notice): void {
  currentNotices.value = [...currentNotices.value.filter(({ kind }) => kind !== one.kind), one]
}

export function dismiss(kind: Notice['kind']): void {
  currentNotices.value = currentNotices.value.filter((one) => one.kind !== kind)
}

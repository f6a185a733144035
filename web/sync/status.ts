import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { LockReason } from '../store/database.ts'

/** Times are milliseconds, as `Date.now()` gives them. */
export type Status =
  | { readonly kind: 'starting' }
  /** The first load; `share` goes from 0 to 1. */
  | { readonly kind: 'loading'; readonly share: number }
  /** The copy is as the server was at that time, and nothing waits. */
  | { readonly kind: 'sent'; readonly at: number }
  /** The server is out of reach, or too busy; the copy, if it is complete, is of that time. */
  | { readonly kind: 'offline'; readonly copyOf: number | null }
  /** Nobody is logged in, and there is no copy either. */
  | { readonly kind: 'needs-login' }
  /** `waiting` counts what is to be sent once the same account has logged in. */
  | { readonly kind: 'locked'; readonly why: LockReason; readonly waiting: number }
  /** The account may not read records: a manager has to give it a role. */
  | { readonly kind: 'no-role' }

export type Notice =
  | { readonly kind: 'plain-http' }
  | { readonly kind: 'logs-dropped'; readonly days: number }
  | { readonly kind: 'no-room' }
  | { readonly kind: 'no-room-for-photos' }
  | { readonly kind: 'photo-unreadable'; readonly name: string }
  | { readonly kind: 'clock-off'; readonly minutes: number }
  /** Somebody else has left entries on this device. */
  | { readonly kind: 'others-wait'; readonly count: number; readonly name: string }
  /** The farm was put back to an earlier state. */
  | { readonly kind: 'lacking'; readonly count: number }
  | { readonly kind: 'new-version' }

const current = signal<Status>({ kind: 'starting' })
const said = signal<readonly Notice[]>([])
const canShow = signal(false)

export const status: ReadonlySignal<Status> = current

/** Whether the screens have something to show: the copy, or as much of the first load as Today needs. */
export const usable: ReadonlySignal<boolean> = canShow

/** What has to be said once, beside the status. */
export const notices: ReadonlySignal<readonly Notice[]> = said

const settled = computed(() => usable.value || (status.value.kind !== 'starting' && status.value.kind !== 'loading'))

/** Waits until the screens have something to show, or it is clear why they have not. */
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
  said.value = [...said.value.filter(({ kind }) => kind !== one.kind), one]
}

export function dismiss(kind: Notice['kind']): void {
  said.value = said.value.filter((one) => one.kind !== kind)
}

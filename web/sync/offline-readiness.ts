import { readMeta } from '../store/database.ts'
import { isAppCached } from './service-worker.ts'
import { session } from './session.ts'
import { hasFreeSpace } from './storage-quota.ts'

export type ReadyCondition = 'secure' | 'worker' | 'files' | 'loaded' | 'lasting' | 'room'

/** What has to hold so that this device can be taken to the hill; `ready for offline` is all of it. */
export async function readiness(): Promise<Readonly<Record<ReadyCondition, boolean>>> {
  return {
    secure: isSecureContext,
    worker: 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
    files: await isAppCached(),
    loaded: session.copy !== null && (await readMeta(session.copy.database, 'cursor')) !== undefined,
    lasting: isInstalled() || (!isApple() && ((await navigator.storage?.persisted?.()) ?? false)),
    room: await hasFreeSpace(),
  }
}

/** Asks the browser not to clear the copy away; some ask the person. */
export async function makeLasting(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false
}

export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** Where Safari is the only engine: what is not on the home screen is deleted after seven days without use. */
const isApple = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent) || isTabletThatSaysMac()

const isTabletThatSaysMac = (): boolean => /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1

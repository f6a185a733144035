import { readMeta } from '../store/database.ts'
import { isAppCached } from './service-worker.ts'
import { session } from './session.ts'
import { hasFreeSpace } from './storage-quota.ts'

export type ReadyCondition = 'secure' | 'worker' | 'files' | 'loaded' | 'lasting' | 'room'

/** Conditions for offline use. */
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

/** Requests persistent storage; some browsers ask the user. */
export async function makeLasting(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false
}

export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** On iOS, Safari deletes data after seven days without use unless the app is on the home screen. */
const isApple = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent) || isTabletThatSaysMac()

const isTabletThatSaysMac = (): boolean => /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1

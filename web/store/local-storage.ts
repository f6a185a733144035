import { me } from './local-copy.ts'

/** Copy to open before the server answers: names only, no secrets. */
interface LastOpened {
  readonly farm: string
  readonly uid: string
  readonly farmName: string
  readonly accountName: string
}

const lastOpenedKey = 'furrow-last-opened'
const pendingLogoutKey = 'furrow-leaving'

export function lastOpened(): LastOpened | null {
  return JSON.parse(localStorage.getItem(lastOpenedKey) ?? 'null') as LastOpened | null
}

export function rememberOpened(opened: LastOpened): void {
  localStorage.setItem(lastOpenedKey, JSON.stringify(opened))
}

export function forgetOpened(): void {
  localStorage.removeItem(lastOpenedKey)
}

/** Database of an account that logged out without signal: its session ends at the next contact. */
export const pendingLogout = (): string | null => localStorage.getItem(pendingLogoutKey)
export const notePendingLogout = (database: string): void => localStorage.setItem(pendingLogoutKey, database)
export const clearPendingLogout = (): void => localStorage.removeItem(pendingLogoutKey)

/** Key of the tab's note that it shows the demo farm. */
export const demoKey = 'furrow-demo'

/** True if this tab shows the demo farm, which makes no requests. */
export const inDemo = (): boolean => globalThis.sessionStorage?.getItem(demoKey) != null

/** Key for skipped setup steps, by name; `over` hides all for good. */
export const firstStepsKey = (): string => `furrow-first-steps-${me.value?.farm.uuid}`

/** True if the setup of this farm is unfinished on this device. */
export const firstStepsPending = (): boolean =>
  me.value?.account.role === 'manager' && localStorage.getItem(firstStepsKey()) !== 'over'

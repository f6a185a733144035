import { me } from './local-copy.ts'

/** Which copy the app opens before it has heard from the server: names only, nothing that lets anybody in. */
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

/** The database of whoever logged out while the server was out of reach: their session ends first at the next contact. */
export const pendingLogout = (): string | null => localStorage.getItem(pendingLogoutKey)
export const notePendingLogout = (database: string): void => localStorage.setItem(pendingLogoutKey, database)
export const clearPendingLogout = (): void => localStorage.removeItem(pendingLogoutKey)

/** What a tab notes that shows the demo farm. */
export const demoKey = 'furrow-demo'

/** Whether this tab shows the demo farm, where nothing is asked of the server. */
export const inDemo = (): boolean => globalThis.sessionStorage?.getItem(demoKey) != null

/** Where a device notes what was skipped, as names; `over` for all of them, and for good. */
export const firstStepsKey = (): string => `furrow-first-steps-${me.value?.farm.uuid}`

/** Whether the first steps of this farm wait for whoever uses this device. */
export const firstStepsPending = (): boolean =>
  me.value?.account.role === 'manager' && localStorage.getItem(firstStepsKey()) !== 'over'

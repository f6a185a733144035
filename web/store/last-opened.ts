/** Which copy the app opens before it has heard from the server: names only, nothing that lets anybody in. */
interface LastOpened {
  readonly farm: string
  readonly uid: string
  readonly farmName: string
  readonly accountName: string
}

const place = 'furrow-last-opened'
const leaving = 'furrow-leaving'

export function lastOpened(): LastOpened | null {
  return JSON.parse(localStorage.getItem(place) ?? 'null') as LastOpened | null
}

export function rememberOpened(opened: LastOpened): void {
  localStorage.setItem(place, JSON.stringify(opened))
}

export function forgetOpened(): void {
  localStorage.removeItem(place)
}

/** The database of whoever logged out while the server was out of reach: their session ends first at the next contact. */
export const leaver = (): string | null => localStorage.getItem(leaving)
export const startLeaving = (database: string): void => localStorage.setItem(leaving, database)
export const endLeaving = (): void => localStorage.removeItem(leaving)

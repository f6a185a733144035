export const day = 86_400

/** Seven in the morning of that day, in Unix seconds. */
export const morningOf = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date, 7) / 1000

export const seasons = [2023, 2024, 2025] as const

/** The demo farm's first day, and the day on which its book ends: what is later is still to be done. */
export const firstDay = morningOf(2023, 3, 1)
export const lastDay = morningOf(2025, 11, 15)

/** Every so many days from one time to another. */
export function* everyDays(days: number, from: number, until: number): Generator<number> {
  for (let at = from; at <= until; at += days * day) yield at
}

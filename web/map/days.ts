/** Days are written as in addresses, "2026-05-03": they have no hours and no time zone. */
const day = 86_400_000

const numberOf = (written: string): number => Date.parse(`${written}T00:00:00Z`)

export const dayAfter = (written: string, days: number): string =>
  new Date(numberOf(written) + days * day).toISOString().slice(0, 10)

export interface Year {
  readonly first: string
  readonly last: string
  readonly days: number
}

export function yearOf(written: string): Year {
  const year = written.slice(0, 4)
  const [first, last] = [`${year}-01-01`, `${year}-12-31`]
  return { first, last, days: dayNumberIn(last) }
}

/** 1 on 1 January. */
export const dayNumberIn = (written: string): number =>
  Math.round((numberOf(written) - numberOf(`${written.slice(0, 4)}-01-01`)) / day) + 1

/** The beginnings of the months of a year. */
export const monthsOf = (written: string): readonly string[] =>
  Array.from({ length: 12 }, (_, month) => `${written.slice(0, 4)}-${String(month + 1).padStart(2, '0')}-01`)

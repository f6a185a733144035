/** How many hours, days, weeks, months and years keep a backup: the last of each that has one. */
export type KeepRule = Readonly<Partial<Record<KeepUnit, number>>>

type KeepUnit = 'h' | 'd' | 'w' | 'm' | 'y'

/** Such as `7d,4w,12m`; null where it is misspelt. */
export function keepRuleIn(text: string): KeepRule | null {
  const rule: Partial<Record<KeepUnit, number>> = {}
  for (const part of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwmy])$/.exec(part.trim()) ?? []
    if (count === undefined || unit === undefined || unit in rule) return null
    // The expression has no other letters.
    rule[unit as KeepUnit] = Number(count)
  }
  return rule
}

const day = 86_400

/** What two times of one hour, day, week, month or year have in common, in UTC; weeks begin on Mondays. */
const periods: Readonly<Record<KeepUnit, (at: number) => string>> = {
  h: (at) => String(Math.floor(at / 3600)),
  d: (at) => String(Math.floor(at / day)),
  // 1970-01-01 was a Thursday.
  w: (at) => String(Math.floor((at / day + 3) / 7)),
  m: (at) => new Date(at * 1000).toISOString().slice(0, 7),
  y: (at) => new Date(at * 1000).toISOString().slice(0, 4),
}

/** Those of these times that are kept; the last always is. */
export function keptTimes(times: readonly number[], rule: KeepRule): ReadonlySet<number> {
  const newestFirst = times.toSorted((one, other) => other - one)
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [unit, count = 0] of Object.entries(rule)) {
    // The keys of a rule are its units.
    const periodOf = periods[unit as KeepUnit]
    const seen = new Set<string>()
    for (const at of newestFirst) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      kept.add(at)
    }
  }
  return kept
}

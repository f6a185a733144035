import type { Snapshot } from '../database.ts'
import { countedTables, counts } from '../rebuilding/tallies.ts'
import { ask, fragment } from '../sql/fragment.ts'
import { type Found, rebuild } from './finding.ts'

interface Tally {
  readonly bundle: string
  readonly status: string
  readonly count: number
}

/** The counts that lists are paged by are those of the records. */
export async function checkTallies(snapshot: Snapshot, found: Found): Promise<void> {
  for (const table of countedTables) {
    const real = await ask<Tally>(snapshot, counts(table))
    const kept = await ask<Tally>(
      snapshot,
      fragment`select bundle, status, sum(count) as count from tally where record_table = ${table} group by bundle, status`,
    )
    const spelled = (tallies: readonly Tally[]) =>
      new Map(
        tallies.filter(({ count }) => count !== 0).map(({ bundle, status, count }) => [`${bundle} ${status}`, count]),
      )
    const [right, said] = [spelled(real), spelled(kept)]
    for (const name of new Set([...right.keys(), ...said.keys()])) {
      const [there, counts] = [right.get(name) ?? 0, said.get(name) ?? 0]
      if (there !== counts)
        found({
          what: `There are ${there} of ${table} ${name.trim()}, but ${counts} are counted`,
          mend: rebuild,
          alike: 'counts that are wrong',
        })
    }
  }
}

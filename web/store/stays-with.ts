import { grouped } from './grouped.ts'
import type { Stay } from './types.ts'

/** What one log says of one asset: from when on it is where. */
export interface Move {
  readonly log: string
  readonly from: number
  readonly places: readonly Pick<Stay, 'place' | 'placeType'>[]
  readonly waiting?: true
}

/** The stays of an asset with moves that the server has not told of, and without those of some logs. */
export function staysWith(
  asset: string,
  stays: readonly Stay[],
  { moves, without }: { readonly moves: readonly Move[]; readonly without: ReadonlySet<string> },
): readonly Stay[] {
  const all = [...movesIn(stays).filter(({ log }) => !without.has(log)), ...moves].sort(inTime)
  return all.flatMap(({ log, from, places, waiting }, at) => {
    const until = all[at + 1]?.from ?? null
    return until === from
      ? []
      : places.map((place) => ({ asset, ...place, log, from, until, ...(waiting && { waiting }) }))
  })
}

/** Numbers in their order; what has none yet gets a higher one than all of them. */
const inTime = (one: Move, other: Move) => one.from - other.from || numberOf(one.log) - numberOf(other.log) || 0

const numberOf = (log: string) => (/^\d+$/.test(log) ? Number(log) : Number.MAX_SAFE_INTEGER)

/** Where a stay ends and no other begins, the asset has left every place. */
function movesIn(stays: readonly Stay[]): Move[] {
  const moves = [...grouped(stays, ({ log }) => log)].map(([log, places]) => ({
    log,
    from: places[0]?.from ?? 0,
    places: places.map(({ place, placeType }) => ({ place, placeType })),
  }))
  const begins = new Set(moves.map(({ from }) => from))
  const ends = new Set(stays.flatMap(({ until }) => (until === null || begins.has(until) ? [] : [until])))
  return [...moves, ...[...ends].map((from) => ({ log: '', from, places: [] }))]
}

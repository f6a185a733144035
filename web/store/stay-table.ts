import type { StayRow } from './database.ts'
import { grouped } from './grouped.ts'
import { memory } from './memory.ts'
import { idsIn, isDone, partsIn, timeOf } from './row.ts'
import { type Move, staysWith } from './stays-with.ts'
import type { KeptRecord, Stay, StayKind } from './types.ts'

/** The stays of one kind in memory: by asset, and, from the first question on, by place. */
class StayTable {
  readonly #ofServer = new Map<string, readonly Stay[]>()
  /** As they are shown: with what is not sent yet. */
  readonly #byAsset = new Map<string, readonly Stay[]>()
  #moves: ReadonlyMap<string, readonly Move[]> = new Map()
  #without: ReadonlySet<string> = new Set()
  /** What the server says by logs of which something is not sent yet. */
  #replaced: readonly Stay[] = []
  #byPlace: Map<string, Stay[]> | null = null
  #byLog: Map<string, Stay[]> | null = null

  of(asset: string): readonly Stay[] {
    return this.#byAsset.get(asset) ?? []
  }

  in(type: 'area' | 'asset', place: string): readonly Stay[] {
    this.#byPlace ??= this.#groupedBy((stay) => `${stay.placeType}:${stay.place}`)
    return this.#byPlace.get(`${type}:${place}`) ?? []
  }

  /** The stays by a log, as the server has them and as they are shown. */
  by(log: string): readonly Stay[] {
    this.#byLog ??= this.#groupedBy((stay) => stay.log)
    return [...(this.#byLog.get(log) ?? []), ...this.#replaced.filter((stay) => stay.log === log)]
  }

  all(): Iterable<Stay> {
    return [...this.#byAsset.values()].flat()
  }

  put({ asset, stays }: StayRow): void {
    if (stays.length === 0) this.#ofServer.delete(asset)
    else this.#ofServer.set(asset, stays)
    this.#show(asset)
  }

  /** Moves that are not sent yet, by asset; logs of the server that they replace say nothing any more. */
  putMoves(moves: ReadonlyMap<string, readonly Move[]>, without: ReadonlySet<string>): void {
    const before = this.#moves
    const replacedBefore = this.#replaced
    this.#moves = moves
    this.#without = without
    this.#replaced = without.size === 0 ? [] : [...this.#ofServer.values()].flat().filter(({ log }) => without.has(log))
    const moved = [...before.keys(), ...moves.keys()].filter((asset) => !sameMoves(before.get(asset), moves.get(asset)))
    const replaced = [...replacedBefore, ...this.#replaced].map(({ asset }) => asset)
    for (const asset of new Set([...moved, ...replaced])) this.#show(asset)
  }

  clear(): void {
    this.#ofServer.clear()
    this.#byAsset.clear()
    for (const asset of this.#moves.keys()) this.#show(asset)
    this.#forgetGroups()
  }

  #show(asset: string): void {
    const ofServer = this.#ofServer.get(asset) ?? []
    const moves = this.#moves.get(asset) ?? []
    const isSame = moves.length === 0 && !ofServer.some(({ log }) => this.#without.has(log))
    const stays = isSame ? ofServer : staysWith(asset, ofServer, { moves, without: this.#without })
    if (stays.length === 0) this.#byAsset.delete(asset)
    else this.#byAsset.set(asset, stays)
    this.#forgetGroups()
  }

  #forgetGroups(): void {
    this.#byPlace = null
    this.#byLog = null
  }

  #groupedBy(keyOf: (stay: Stay) => string): Map<string, Stay[]> {
    const groups = grouped(this.all(), keyOf)
    for (const stays of groups.values()) stays.sort((one, other) => one.from - other.from)
    return groups
  }
}

const sameMoves = (some: readonly Move[] = [], others: readonly Move[] = []): boolean =>
  some.length === others.length && some.every((move, at) => move === others[at])

const tables: Readonly<Record<StayKind, StayTable>> = { movement: new StayTable(), membership: new StayTable() }

/** Whoever reads it is told of changes by `generation`. */
export function stayTable(kind: StayKind): StayTable {
  memory.generation.value
  return tables[kind]
}

export function showStays(rows: readonly StayRow[]): void {
  for (const row of rows) tables[row.kind].put(row)
}

/** Shows where unsent logs move their assets to, and into which groups; those that are to be removed say nothing. */
export function showMoves(
  logs: ReadonlyMap<string, KeptRecord | null>,
  idOf: (uuid: string) => string | undefined,
): void {
  const numbered = [...logs.keys()].filter((uuid) => idOf(uuid) !== uuid)
  const without = new Set(numbered.flatMap((uuid) => idOf(uuid) ?? []))
  for (const kind of ['movement', 'membership'] as const) {
    const moves = new Map<string, Move[]>()
    for (const log of logs.values())
      for (const [asset, move] of log === null ? [] : unsentMovesBy(log, kind)) {
        const others = moves.get(asset)
        if (others === undefined) moves.set(asset, [move])
        else others.push(move)
      }
    tables[kind].putMoves(moves, without)
  }
}

const unsentMoves = { movement: new WeakMap<KeptRecord, Moves>(), membership: new WeakMap<KeptRecord, Moves>() }

/** The same ones for the same log, so that it can be seen at once which have changed. */
function unsentMovesBy(log: KeptRecord, kind: StayKind): Moves {
  const known = unsentMoves[kind].get(log)
  if (known !== undefined) return known
  const moves: Moves = movesBy(log, kind).map(([asset, move]) => [asset, { ...move, waiting: true }])
  unsentMoves[kind].set(log, moves)
  return moves
}

type Moves = readonly (readonly [asset: string, Move])[]

/** Where a log moves its assets to, or into which groups. Only done logs move, and only those that say where to. */
export function movesBy(log: KeptRecord, kind: StayKind): [asset: string, Move][] {
  const parts = partsIn(log.fields[kind])
  const places =
    kind === 'movement'
      ? parts.flatMap(({ area }) => idsIn(area).map((place) => ({ place, placeType: 'area' as const })))
      : parts.flatMap(({ group }) => idsIn(group).map((place) => ({ place, placeType: 'asset' as const })))
  const isSomewhere = kind === 'movement' && parts.some(({ geometry }) => geometry !== undefined)
  if (!isDone(log) || (places.length === 0 && !isSomewhere)) return []
  const from = timeOf(log)
  const move: Move = {
    log: log.id,
    from,
    places: places.length === 0 ? [{ place: null, placeType: null }] : places,
  }
  return [...new Set(idsIn(log.fields.asset))].map((asset) => [asset, move])
}

export function forgetStays(): void {
  for (const table of Object.values(tables)) table.clear()
}

export function assetsMovedBy(log: string): string[] {
  return Object.values(tables).flatMap((table) => table.by(log).map(({ asset }) => asset))
}

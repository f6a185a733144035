import { animalBundle, groupBundle } from '../../src/farm/bundle-names.ts'
import { now } from '../words/format.ts'
import type { AssetStaysRow } from './database.ts'
import { grouped } from './grouped.ts'
import { memory, unsentRows } from './memory.ts'
import { idsIn, isDone, type LocalRecord, type LocalStay, type LocalStayKind, partsIn, timeOf } from './record.ts'

/** Times are Unix seconds, by default now. The copy has the complete stays of the last 400 days. */

/** Places of an asset. A log with two areas makes two. */
export function placesOf(asset: string, at = now()): readonly LocalStay[] {
  return staysOf(asset).filter(lastingAt(at))
}

/** Assets in an area: since when, and by which log. */
export function contentsOf(area: string, at = now()): readonly LocalStay[] {
  return staysIn(area).filter(lastingAt(at))
}

/** All stays in an area, in time order. */
export function staysIn(area: string): readonly LocalStay[] {
  return stayTable('movement').in('area', area)
}

/** All stays of an asset, in time order. */
export function staysOf(asset: string): readonly LocalStay[] {
  return stayTable('movement').of(asset)
}

/** Groups of an asset. */
export function groupsOf(asset: string, at = now()): readonly LocalStay[] {
  return stayTable('membership').of(asset).filter(lastingAt(at))
}

/** All memberships of an asset, in time order. */
export function membershipsOf(asset: string): readonly LocalStay[] {
  return stayTable('membership').of(asset)
}

/** Members of a group. */
export function membersOf(group: string, at = now()): readonly LocalStay[] {
  return stayTable('membership').in('asset', group).filter(lastingAt(at))
}

const day = 86_400

/** Whole days since the last animal left; null while one is there, or if none is known. */
export function restOf(area: string, at = now()): number | null {
  let left: number | null = null
  for (const { asset, from, until } of staysIn(area)) {
    if (from > at || !isAnimal(asset)) continue
    if (until === null || until > at) return null
    left = Math.max(left ?? until, until)
  }
  return left === null ? null : Math.floor((at - left) / day)
}

export function isAnimal(asset: string): boolean {
  const bundle = memory.assets.value.get(asset)?.bundle
  return bundle === animalBundle || bundle === groupBundle
}

const lastingAt =
  (at: number) =>
  ({ from, until }: LocalStay): boolean =>
    from <= at && (until === null || until > at)

/** Stays of one kind in memory: by asset, and on demand by place. */
class StayTable {
  readonly #ofServer = new Map<string, readonly LocalStay[]>()
  /** As shown, with unsent moves. */
  readonly #byAsset = new Map<string, readonly LocalStay[]>()
  #moves: ReadonlyMap<string, readonly Move[]> = new Map()
  #without: ReadonlySet<string> = new Set()
  /** Server stays of logs with unsent changes. */
  #replaced: readonly LocalStay[] = []
  #byPlace: Map<string, LocalStay[]> | null = null
  #byLog: Map<string, LocalStay[]> | null = null

  of(asset: string): readonly LocalStay[] {
    return this.#byAsset.get(asset) ?? []
  }

  in(type: 'area' | 'asset', place: string): readonly LocalStay[] {
    this.#byPlace ??= this.#groupedBy((stay) => `${stay.placeType}:${stay.place}`)
    return this.#byPlace.get(`${type}:${place}`) ?? []
  }

  /** Stays of a log, as on the server and as shown. */
  by(log: string): readonly LocalStay[] {
    this.#byLog ??= this.#groupedBy((stay) => stay.log)
    return [...(this.#byLog.get(log) ?? []), ...this.#replaced.filter((stay) => stay.log === log)]
  }

  all(): Iterable<LocalStay> {
    return [...this.#byAsset.values()].flat()
  }

  put({ asset, stays }: AssetStaysRow): void {
    if (stays.length === 0) this.#ofServer.delete(asset)
    else this.#ofServer.set(asset, stays)
    this.#show(asset)
  }

  /** Applies unsent moves by asset, and drops stays of the logs in `without`. */
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

  #groupedBy(keyOf: (stay: LocalStay) => string): Map<string, LocalStay[]> {
    const groups = grouped(this.all(), keyOf)
    for (const stays of groups.values()) stays.sort((one, other) => one.from - other.from)
    return groups
  }
}

const sameMoves = (some: readonly Move[] = [], others: readonly Move[] = []): boolean =>
  some.length === others.length && some.every((move, at) => move === others[at])

/** By time, then by log number; unsent logs come last. */
const inTime = (one: Move, other: Move) => one.from - other.from || numberOf(one.log) - numberOf(other.log) || 0

const numberOf = (log: string) => (/^\d+$/.test(log) ? Number(log) : Number.MAX_SAFE_INTEGER)

const tables: Readonly<Record<LocalStayKind, StayTable>> = { movement: new StayTable(), membership: new StayTable() }

/** Readers follow `generation` for changes. */
function stayTable(kind: LocalStayKind): StayTable {
  memory.generation.value
  return tables[kind]
}

export function showStays(rows: readonly AssetStaysRow[]): void {
  for (const row of rows) tables[row.kind].put(row)
}

/** Shows the moves and memberships of unsent logs, and hides those of removed ones. */
export function showMoves(
  logs: ReadonlyMap<string, LocalRecord | null>,
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

const unsentMoves = { movement: new WeakMap<LocalRecord, Moves>(), membership: new WeakMap<LocalRecord, Moves>() }

/** Cached per log, so that unchanged moves keep their identity. */
function unsentMovesBy(log: LocalRecord, kind: LocalStayKind): Moves {
  const known = unsentMoves[kind].get(log)
  if (known !== undefined) return known
  const moves: Moves = movesBy(log, kind).map(([asset, move]) => [asset, { ...move, waiting: true }])
  unsentMoves[kind].set(log, moves)
  return moves
}

type Moves = readonly (readonly [asset: string, Move])[]

/** Moves or memberships by a log. Only done logs move assets: to a destination, or away from every place or group. */
export function movesBy(log: LocalRecord, kind: LocalStayKind): [asset: string, Move][] {
  const parts = partsIn(log.fields[kind])
  const places =
    kind === 'movement'
      ? parts.flatMap(({ area }) => idsIn(area).map((place) => ({ place, placeType: 'area' as const })))
      : parts.flatMap(({ group }) => idsIn(group).map((place) => ({ place, placeType: 'asset' as const })))
  const isSomewhere = kind === 'movement' && parts.some(({ geometry }) => geometry !== undefined)
  const isLeaving = parts.some(({ leaves }) => leaves === true)
  if (!isDone(log) || (places.length === 0 && !isSomewhere && !isLeaving)) return []
  const from = timeOf(log)
  const move: Move = {
    log: log.id,
    from,
    places: places.length === 0 && isSomewhere ? [{ place: null, placeType: null }] : places,
  }
  return [...new Set(idsIn(log.fields.asset))].map((asset) => [asset, move])
}

export function forgetStays(): void {
  for (const table of Object.values(tables)) table.clear()
}

export function assetsMovedBy(log: string): string[] {
  return Object.values(tables).flatMap((table) => table.by(log).map(({ asset }) => asset))
}

/** Effect of a log on one asset: its place from a time on. */
interface Move {
  readonly log: string
  readonly from: number
  readonly places: readonly Pick<LocalStay, 'place' | 'placeType'>[]
  readonly waiting?: true
}

/** Stays of an asset with unsent moves, and without those of some logs. */
export function staysWith(
  asset: string,
  stays: readonly LocalStay[],
  { moves, without }: { readonly moves: readonly Move[]; readonly without: ReadonlySet<string> },
): readonly LocalStay[] {
  const all = [...movesIn(stays).filter(({ log }) => !without.has(log)), ...moves].sort(inTime)
  return all.flatMap(({ log, from, places, waiting }, at) => {
    const until = all[at + 1]?.from ?? null
    return until === from
      ? []
      : places.map((place) => ({ asset, ...place, log, from, until, ...(waiting && { waiting }) }))
  })
}

/** A stay that ends without a successor means that the asset left. */
function movesIn(stays: readonly LocalStay[]): Move[] {
  const moves = [...grouped(stays, ({ log }) => log)].map(([log, places]) => ({
    log,
    from: places[0]?.from ?? 0,
    places: places.map(({ place, placeType }) => ({ place, placeType })),
  }))
  const begins = new Set(moves.map(({ from }) => from))
  const ends = new Set(stays.flatMap(({ until }) => (until === null || begins.has(until) ? [] : [until])))
  return [...moves, ...[...ends].map((from) => ({ log: '', from, places: [] }))]
}

/** Animals that an asset stands for: as many as its inventory says, else one. A group stands for none itself. */
export function headOf(asset: LocalRecord): number {
  if (asset.bundle !== animalBundle) return asset.bundle === groupBundle ? 0 : 1
  return countedHeads(asset) ?? 1
}

/** How many animals the farm counts under one asset; undefined for a single animal, whose inventory is nothing or 0. */
export function countedHeads({ id, fields }: LocalRecord): number | undefined {
  const [sent, unsent] = [Number(fields.inventory ?? 0), unsentChanges().get(id)]
  return sent === 0 && unsent === undefined ? undefined : sent + (unsent ?? 0)
}

let changes: { readonly of: typeof memory.unsentLogs; readonly byAsset: ReadonlyMap<string, number> } | null = null

/** Adjustments of logs that the server does not have yet, by asset. */
function unsentChanges(): ReadonlyMap<string, number> {
  if (changes?.of === memory.unsentLogs) return changes.byAsset
  const byAsset = new Map<string, number>()
  for (const log of unsentRows().filter(({ id, uuid, fields }) => id === uuid && isDone({ fields })))
    for (const { asset, value } of partsIn(log.fields.inventory))
      for (const id of idsIn(asset)) byAsset.set(id, (byAsset.get(id) ?? 0) + Number(value))
  changes = { of: memory.unsentLogs, byAsset }
  return byAsset
}

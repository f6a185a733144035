import { commit } from '../store/commit.ts'
import { type AssetStaysRow, readMeta } from '../store/database.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import { assetsNamedIn, isDone, type LocalStay, type LocalStayKind, typeFromTheWire } from '../store/record.ts'
import { now } from '../words/format.ts'
import { askServerOrThrow } from './request.ts'
import { keptDays, keptSince } from './storage-quota.ts'

export interface StayColumns {
  readonly asset: readonly string[]
  readonly place: readonly (string | null)[]
  readonly place_type: readonly (string | null)[]
  readonly log: readonly string[]
  readonly from: readonly number[]
  readonly until: readonly (number | null)[]
  readonly next: string | null
}

const kinds: readonly LocalStayKind[] = ['movement', 'membership']

/** Limit of values in an address is 200. */
const assetsAtOnce = 100

/** Above this number one walk through all assets is faster. */
export const mostAssets = 300

export async function loadAllStays(copy: OpenCopy): Promise<void> {
  const at = now()
  for (const kind of kinds) {
    const before = new Set((await copy.database.getAllKeys('stay')).flatMap((key) => (key[0] === kind ? [key[1]] : [])))
    for await (const stays of pagesOf(kind, [])) {
      for (const { asset } of stays) before.delete(asset)
      await commit(copy.database, { stays })
    }
    await commit(copy.database, { stays: [...before].map((asset) => ({ kind, asset, stays: [] })) })
  }
  await commit(copy.database, { meta: { staysAt: at, staysWanted: null } })
}

/** Assets without stays get an empty row, which replaces old ones. */
export async function loadStaysOf(copy: OpenCopy, assets: readonly string[]): Promise<void> {
  for (let first = 0; first < assets.length; first += assetsAtOnce) {
    const some = assets.slice(first, first + assetsAtOnce)
    for (const kind of kinds) {
      const rows = new Map<string, AssetStaysRow>(some.map((asset) => [asset, { kind, asset, stays: [] }]))
      for await (const stays of pagesOf(kind, some)) for (const row of stays) rows.set(row.asset, row)
      await commit(copy.database, { stays: [...rows.values()] })
    }
  }
}

/** Yields complete assets: the last one of a page waits for the next page. */
async function* pagesOf(kind: LocalStayKind, assets: readonly string[]): AsyncGenerator<AssetStaysRow[]> {
  const query = new URLSearchParams([
    ['kind', kind],
    ['from', String(keptSince(keptDays))],
    ...assets.map((id) => ['asset', id] as [string, string]),
  ])
  let path: string | null = `/stays?${query}`
  let held: LocalStay[] = []
  while (path !== null) {
    const { body }: { body: StayColumns } = await askServerOrThrow<StayColumns>(path)
    const stays = [...held, ...staysIn(body)]
    const last = stays.at(-1)?.asset
    held = body.next === null ? [] : stays.filter(({ asset }) => asset === last)
    yield rowsOf(kind, body.next === null ? stays : stays.filter(({ asset }) => asset !== last))
    path = body.next === null ? null : pathOf(body.next)
  }
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, location.href)
  return pathname + search
}

export function staysIn({ asset, place, place_type, log, from, until }: StayColumns): LocalStay[] {
  return asset.map((id, row) => ({
    asset: id,
    place: place[row] ?? null,
    placeType: placeTypeOf(place_type[row] ?? ''),
    log: log[row] ?? '',
    from: from[row] ?? 0,
    until: until[row] ?? null,
  }))
}

function placeTypeOf(name: string): LocalStay['placeType'] {
  const type = typeFromTheWire(name)
  if (type === 'term') return 'area'
  return type === 'asset' ? 'asset' : null
}

export function rowsOf(kind: LocalStayKind, stays: readonly LocalStay[]): AssetStaysRow[] {
  const byAsset = new Map<string, LocalStay[]>()
  for (const stay of stays) {
    const staysOfAsset = byAsset.get(stay.asset)
    if (staysOfAsset === undefined) byAsset.set(stay.asset, [stay])
    else staysOfAsset.push(stay)
  }
  return [...byAsset].map(([asset, staysOfAsset]) => ({ kind, asset, stays: staysOfAsset }))
}

/** Done logs that have become due since the last check: they move assets without a change. */
export async function assetsDue({ database }: OpenCopy): Promise<{ assets: string[]; at: number }> {
  const at = now()
  const since = (await readMeta(database, 'staysAt')) ?? at
  const range = IDBKeyRange.bound(['log', -at], ['log', -since])
  const rows = since >= at ? [] : await database.getAllFromIndex('record', 'time', range)
  return { assets: rows.filter((row) => isDone(row) && moves(row.fields)).flatMap(assetsNamedIn), at }
}

export const moves = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields.movement !== undefined || fields.membership !== undefined

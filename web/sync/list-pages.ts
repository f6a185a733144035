import { type ListPage, lastPageOf } from '../../src/client/requests.ts'
import { type CatalogueDocument, type LocalRecord, type LocalRecordType, typeOnTheWire } from '../store/record.ts'
import { recordFromWire, type WireRecord } from '../store/wire-record.ts'
import { askServerOrThrow, prefetchedOrAsk } from './request.ts'

export type RecordListPage = ListPage<WireRecord>

/** A page of a list, and the number of records after it. */
interface WalkPage {
  readonly records: readonly WireRecord[]
  readonly left: number
  /** Limit of the next request, for answers of about the same size. */
  readonly nextLimit: number
}

const most = 1000
const idealSize = 1_000_000

export async function listPage(
  path: string,
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<WalkPage> {
  const { body, size } = await prefetchedOrAsk<RecordListPage>(pathOfPage(path, query, limit))
  return {
    records: body.list,
    left: (lastPageOf(body) - Number(query.page ?? 0)) * limit,
    nextLimit: nextPageLimit(limit, size),
  }
}

export function pathOfPage(path: string, query: Readonly<Record<string, string>>, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit), files: 'link' })}`
}

/** Grows at most tenfold: a few large records say little about the next ones. */
export function nextPageLimit(limit: number, size: number): number {
  const wanted = Math.floor((limit * idealSize) / Math.max(size, 1))
  return Math.max(1, Math.min(most, limit * 10, wanted))
}

const atOnce = 100

/** Current records of the server, by UUID; without missing ones. */
export async function readRecords(
  type: LocalRecordType,
  uuids: readonly string[],
  catalogue: CatalogueDocument | null,
): Promise<LocalRecord[]> {
  const found: LocalRecord[] = []
  for (let first = 0; first < uuids.length; first += atOnce) {
    const query = new URLSearchParams([
      ['with', withParameter[type]],
      ['files', 'link'],
      ['limit', String(atOnce)],
      ...uuids.slice(first, first + atOnce).map((uuid) => ['uuid', uuid] as [string, string]),
    ])
    const { body } = await askServerOrThrow<RecordListPage>(`/${typeOnTheWire[type]}.json?${query}`)
    found.push(...body.list.map((wire) => recordFromWire(wire, { type, catalogue })))
  }
  return found
}

const known = 'uuid,version'

/** Extra fields to request: lists omit whether an area is archived, and whether a log leaves every group. */
export const withParameter: Readonly<Record<LocalRecordType, string>> = {
  log: `${known},leaves`,
  asset: known,
  term: `${known},archived`,
}

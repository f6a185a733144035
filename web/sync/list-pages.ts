import { type CatalogueDocument, type KeptRecord, type KeptRecordType, typeOnTheWire } from '../store/record.ts'
import { recordFromWire, type WireRecord } from '../store/wire-record.ts'
import { askServerOrThrow, prefetchedOrAsk } from './request.ts'

export interface RecordListPage {
  readonly list: readonly WireRecord[]
  readonly last: string
}

/** One answer of a walk through a list, and how many records are behind it. */
interface WalkPage {
  readonly records: readonly WireRecord[]
  readonly left: number
  /** How many to ask for next, so that an answer is about as large as it should be. */
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
  const pages = Number(new URL(body.last).searchParams.get('page'))
  return { records: body.list, left: (pages - Number(query.page ?? 0)) * limit, nextLimit: nextPageLimit(limit, size) }
}

export function pathOfPage(path: string, query: Readonly<Record<string, string>>, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit), files: 'link' })}`
}

/** Ten times as many at most: a few large records say little of the next ones. */
export function nextPageLimit(limit: number, size: number): number {
  const wanted = Math.floor((limit * idealSize) / Math.max(size, 1))
  return Math.max(1, Math.min(most, limit * 10, wanted))
}

const atOnce = 100

/** Records as the server has them now, by UUID; what is not there is not among them. */
export async function readRecords(
  type: KeptRecordType,
  uuids: readonly string[],
  catalogue: CatalogueDocument | null,
): Promise<KeptRecord[]> {
  const found: KeptRecord[] = []
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

/** What is asked for beside what lists show: areas say only on request whether they are archived. */
export const withParameter: Readonly<Record<KeptRecordType, string>> = {
  log: known,
  asset: known,
  term: `${known},archived`,
}

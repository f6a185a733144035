import { catalogue } from '../store/local-copy.ts'
import { type LocalRecord, timeOf } from '../store/record.ts'
import { recordFromWire, trimmedFromWire, type WireRecord } from '../store/wire-record.ts'
import { type Answer, askServer, type Failure } from '../sync/request.ts'

interface Page {
  readonly list: readonly WireRecord[]
  readonly next?: string
}

interface LogPage {
  readonly logs: readonly LocalRecord[]
  readonly hasMore: boolean
}

/** A page of logs from the server, without the known ones. */
export async function logsAt(query: URLSearchParams, known: readonly LocalRecord[]): Promise<LogPage | Failure> {
  query.set('with', 'uuid,version,leaves')
  const answer: Answer<Page> = await askServer(`/log.json?${query}`)
  if (answer.failure !== null) return answer
  const seen = new Set(known.map(({ uuid }) => uuid))
  const logs = answer.body.list.flatMap(kept).filter(({ uuid }) => !seen.has(uuid))
  return { logs, hasMore: answer.body.next !== undefined }
}

/** Logs by name or lot. */
export async function logsNamed(
  text: string,
  known: readonly LocalRecord[],
): Promise<readonly LocalRecord[] | Failure> {
  const newest = { sort: 'timestamp', direction: 'DESC' }
  const byName = await logsAt(new URLSearchParams({ 'name[ct]': text, ...newest }), known)
  if ('failure' in byName) return byName
  const byLot = await logsAt(new URLSearchParams({ 'lot_number[sw]': text, ...newest }), [...known, ...byName.logs])
  return 'failure' in byLot ? byLot : [...byName.logs, ...byLot.logs]
}

function kept(wire: WireRecord): LocalRecord[] {
  return catalogue.value === null ? [] : [trimmedFromWire(wire, { type: 'log', catalogue: catalogue.value })]
}

interface OlderLogs {
  readonly failure: Failure | null
  readonly logs: readonly LocalRecord[]
  /** Time of the next page; null at the end. */
  readonly next: number | null
}

const most = 40

/** Done logs before a time that match any of the filters, such as `asset=5`; the newest first. */
export async function olderLogs(filters: readonly string[], upTo: number): Promise<OlderLogs> {
  const answers = await Promise.all(filters.map((filter) => logsUpTo(filter, upTo)))
  const failure = answers.find((answer) => answer.failure !== null)?.failure
  if (failure) return { failure, logs: [], next: upTo }
  /** Older logs may be missing from a list that has further pages. */
  const horizon = Math.max(0, ...answers.map(({ next }) => next ?? 0))
  const logs = new Map(answers.flatMap((answer) => answer.logs.map((log) => [log.uuid, log])))
  const reached = [...logs.values()].filter((log) => timeOf(log) > horizon)
  if (reached.length === 0 && horizon > 0) return olderLogs(filters, horizon)
  return { failure: null, logs: reached, next: horizon === 0 ? null : horizon }
}

/** Pages of one filter, as long as all their logs share one second. */
async function logsUpTo(filter: string, upTo: number): Promise<OlderLogs> {
  const rest = `done=1&timestamp[le]=${upTo}&sort=timestamp&direction=DESC&limit=${most}&files=link&with=uuid,version,leaves`
  const logs: LocalRecord[] = []
  for (let page = 0; ; page += 1) {
    const answer = await askServer<Page>(`/log.json?${filter}&${rest}&page=${page}`)
    if (answer.failure !== null) return { failure: answer, logs, next: upTo }
    logs.push(...answer.body.list.map(logFrom))
    const last = logs.at(-1)
    if (answer.body.next === undefined || last === undefined) return { failure: null, logs, next: null }
    if (timeOf(last) < upTo) return { failure: null, logs, next: timeOf(last) }
  }
}

function logFrom(wire: WireRecord): LocalRecord {
  const known = catalogue.peek()
  if (known === null) throw new Error('logs were asked for before the catalogue')
  return recordFromWire(wire, { type: 'log', catalogue: known })
}

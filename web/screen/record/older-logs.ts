import { catalogue } from '../../store/local-copy.ts'
import { type KeptRecord, timeOf } from '../../store/record.ts'

import { recordFromWire, type WireRecord } from '../../store/wire-record.ts'
import { askServer, type Failure } from '../../sync/request.ts'

interface OlderLogs {
  readonly failure: Failure | null
  readonly logs: readonly KeptRecord[]
  /** Where to go on; null at the end. */
  readonly next: number | null
}

interface Page {
  readonly list: readonly WireRecord[]
  readonly next?: string
}

const most = 40

/** Done logs up to a time, from the server: those that match any of the filters, such as `asset=5`, the newest first. */
export async function olderLogs(filters: readonly string[], upTo: number): Promise<OlderLogs> {
  const answers = await Promise.all(filters.map((filter) => logsUpTo(filter, upTo)))
  const failure = answers.find((answer) => answer.failure !== null)?.failure
  if (failure) return { failure, logs: [], next: upTo }
  /** What is older may be missing from a list that goes on. */
  const horizon = Math.max(0, ...answers.map(({ next }) => next ?? 0))
  const logs = new Map(answers.flatMap((answer) => answer.logs.map((log) => [log.uuid, log])))
  const reached = [...logs.values()].filter((log) => timeOf(log) > horizon)
  if (reached.length === 0 && horizon > 0) return olderLogs(filters, horizon)
  return { failure: null, logs: reached, next: horizon === 0 ? null : horizon }
}

/** Of one filter; page after page as long as all of them are of the last second. */
async function logsUpTo(filter: string, upTo: number): Promise<OlderLogs> {
  const rest = `done=1&timestamp[le]=${upTo}&sort=timestamp&direction=DESC&limit=${most}&files=link&with=uuid,version`
  const logs: KeptRecord[] = []
  for (let page = 0; ; page += 1) {
    const answer = await askServer<Page>(`/log.json?${filter}&${rest}&page=${page}`)
    if (answer.failure !== null) return { failure: answer, logs, next: upTo }
    logs.push(...answer.body.list.map(logFrom))
    const last = logs.at(-1)
    if (answer.body.next === undefined || last === undefined) return { failure: null, logs, next: null }
    if (timeOf(last) < upTo) return { failure: null, logs, next: timeOf(last) }
  }
}

function logFrom(wire: WireRecord): KeptRecord {
  const known = catalogue.peek()
  if (known === null) throw new Error('logs were asked for before the catalogue')
  return recordFromWire(wire, { type: 'log', catalogue: known })
}

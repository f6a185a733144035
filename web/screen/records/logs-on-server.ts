import { catalogue } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'
import { trimmedFromWire, type WireRecord } from '../../store/wire-record.ts'
import { type Answer, askServer, type Failure } from '../../sync/request.ts'

interface Page {
  readonly list: readonly WireRecord[]
  readonly next?: string
}

export interface LogPage {
  readonly logs: readonly KeptRecord[]
  readonly hasMore: boolean
}

/** A page of logs from the server, without those that are known. */
export async function logsAt(query: URLSearchParams, known: readonly KeptRecord[]): Promise<LogPage | Failure> {
  query.set('with', 'uuid,version')
  const answer: Answer<Page> = await askServer(`/log.json?${query}`)
  if (answer.failure !== null) return answer
  const seen = new Set(known.map(({ uuid }) => uuid))
  const logs = answer.body.list.flatMap(kept).filter(({ uuid }) => !seen.has(uuid))
  return { logs, hasMore: answer.body.next !== undefined }
}

/** Logs with this in their name, or with such a lot. */
export async function logsNamed(text: string, known: readonly KeptRecord[]): Promise<readonly KeptRecord[] | Failure> {
  const newest = { sort: 'timestamp', direction: 'DESC' }
  const byName = await logsAt(new URLSearchParams({ 'name[ct]': text, ...newest }), known)
  if ('failure' in byName) return byName
  const byLot = await logsAt(new URLSearchParams({ 'lot_number[sw]': text, ...newest }), [...known, ...byName.logs])
  return 'failure' in byLot ? byLot : [...byName.logs, ...byLot.logs]
}

function kept(wire: WireRecord): KeptRecord[] {
  return catalogue.value === null ? [] : [trimmedFromWire(wire, { type: 'log', catalogue: catalogue.value })]
}

import { sentInBatches } from '../../src/farm/bundle-names.ts'
import { amendEntries, freeze } from '../store/outbox.ts'
import type { Entry, EntryProblem } from '../store/outbox-entry.ts'
import { batchOf, requestOf } from './entry-request.ts'
import { rebase, whoRemoved } from './rebase.ts'
import { type Failure, type Success, tellServer, verdictOn } from './request.ts'
import {
  acknowledgeAnswer,
  acknowledgeByReading,
  needsPerson,
  pauseSending,
  problemOf,
  type SendContext,
  type SendStep,
  sendNext,
} from './send-outcome.ts'

/** Failures of the server before the user is asked. */
const mostFailures = 10

/** Sends one set as one request, and acts on the answer. */
export async function sendSet(context: SendContext, waiting: readonly Entry[]): Promise<SendStep> {
  const set = await freeze(
    context.database,
    waiting.map(({ n }) => n),
  )
  const [first] = set
  if (first === undefined) return sendNext
  const unread = set.find(({ method, tag }) => method === 'PUT' && tag === null)
  if (unread !== undefined) return rebase(context, { set, entry: unread, refusal: null })
  const { path, options } = isSentAlone(set)
    ? requestOf(first, context.author)
    : batchOf(first.set, set, context.author)
  const answer = await tellServer<Record<string, unknown>>(path, options)
  return answer.failure === null ? taken(context, set, answer) : refused(context, set, answer)
}

const isSentAlone = ([first, ...others]: readonly Entry[]): boolean =>
  others.length === 0 && !(first?.method === 'POST' && sentInBatches.includes(first.bundle))

function taken(
  context: SendContext,
  set: readonly Entry[],
  answer: Success<Record<string, unknown>>,
): Promise<SendStep> {
  const [only] = set
  const changeSet = answer.headers.get('change-set')
  const showsRecord = isSentAlone(set) && only !== undefined && (only.method === 'POST' || only.method === 'PUT')
  return showsRecord ? acknowledgeAnswer(context, only, answer) : acknowledgeByReading(context, set, changeSet)
}

async function refused(context: SendContext, set: readonly Entry[], answer: Failure): Promise<SendStep> {
  const verdict = verdictOn(answer)
  const entry = entryAt(set, answer)
  if (verdict === 'again') return pauseSending(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict === 'failed') return failed(context, set, answer)
  if (verdict === 'compare' || isTakenAlready(answer)) return rebase(context, { set, entry, refusal: answer })
  if (verdict === 'missing') return missing(context, set, answer)
  return needsPerson(context, set, problemsBy(set, answer))
}

/** Retries, then asks the user; meanwhile nothing overtakes it. */
async function failed(context: SendContext, set: readonly Entry[], answer: Failure): Promise<SendStep> {
  const failures = Math.max(...set.map((entry) => entry.failures)) + 1
  await amendEntries(context.database, ...set.map(({ n }) => [n, { failures }] as const))
  if (failures < mostFailures) return pauseSending(answer)
  return needsPerson(context, set, new Map(set.map(({ n }) => [n, problemOf(answer)])))
}

/** The UUID exists: created by this account with other content, or by the author of entries that a manager sends. */
const isTakenAlready = ({ type }: Failure) => type === 'urn:furrow:refusal:uuid-taken'

/** A removal of a missing record has succeeded. */
async function missing(context: SendContext, set: readonly Entry[], answer: Failure): Promise<SendStep> {
  const entry = entryAt(set, answer)
  if (entry.method !== 'DELETE') {
    const removed = await whoRemoved(entry)
    return needsPerson(context, set, new Map([[entry.n, problemOf(answer, removed)]]))
  }
  return acknowledgeByReading(context, [entry], null)
}

/** The faults of a batch name their operation; a single request has only one. */
function entryAt(set: readonly Entry[], { errors }: Failure): Entry {
  const at = set[operationIn(errors[0]?.field ?? '')] ?? set[0]
  if (at === undefined) throw new Error('Nothing was sent.')
  return at
}

const operationIn = (field: string): number => Number(/^operations\[(\d+)\]/.exec(field)?.[1] ?? 0)

function problemsBy(set: readonly Entry[], answer: Failure): ReadonlyMap<number, EntryProblem> {
  const problems = new Map<number, EntryProblem>()
  for (const [index, { n }] of set.entries()) {
    const errors = isSentAlone(set) ? answer.errors : errorsOf(index, answer)
    if (errors.length > 0 || set.length === 1) problems.set(n, { ...problemOf(answer), errors })
  }
  return problems.size > 0 ? problems : new Map(set.slice(0, 1).map(({ n }) => [n, problemOf(answer)]))
}

function errorsOf(index: number, { errors }: Failure): EntryProblem['errors'] {
  return errors
    .filter(({ field }) => field.startsWith(`operations[${index}]`))
    .map(({ field, message }) => ({ field: field.replace(/^operations\[\d+\](?:\.body)?\.?/, ''), message }))
}

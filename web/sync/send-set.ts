import { amend, freeze } from '../store/amend.ts'
import type { Entry, Problem } from '../store/entry.ts'
import type { Answered, Failure } from './ask.ts'
import { compare } from './compare.ts'
import { needsPerson, next, type Outgoing, pause, problemOf, type Step } from './outgoing.ts'
import { whoRemoved } from './removed.ts'
import { settleOne, settleRead } from './settle.ts'
import { tell } from './tell.ts'
import { verdictOn } from './verdict.ts'
import { batchOf, requestOf } from './wire-request.ts'

/** How often a server may fail at one thing before a person has to know of it. */
const mostFailures = 10

/** Sends what belongs together, and does what the answer asks for. */
export async function sendSet(outgoing: Outgoing, waiting: readonly Entry[]): Promise<Step> {
  const set = await freeze(
    outgoing.database,
    waiting.map(({ n }) => n),
  )
  const [first] = set
  if (first === undefined) return next
  const unread = set.find(({ method, tag }) => method === 'PUT' && tag === null)
  if (unread !== undefined) return compare(outgoing, { set, entry: unread, refusal: null })
  const { path, options } =
    set.length === 1 ? requestOf(first, outgoing.author) : batchOf(first.set, set, outgoing.author)
  const answer = await tell<Record<string, unknown>>(path, options)
  return answer.failure === null ? taken(outgoing, set, answer) : refused(outgoing, set, answer)
}

function taken(outgoing: Outgoing, set: readonly Entry[], answer: Answered<Record<string, unknown>>): Promise<Step> {
  const [only] = set
  const changeSet = answer.headers.get('change-set')
  const showsRecord = set.length === 1 && only !== undefined && (only.method === 'POST' || only.method === 'PUT')
  return showsRecord ? settleOne(outgoing, only, answer) : settleRead(outgoing, set, changeSet)
}

async function refused(outgoing: Outgoing, set: readonly Entry[], answer: Failure): Promise<Step> {
  const verdict = verdictOn(answer)
  const entry = entryAt(set, answer)
  if (verdict === 'again' || verdict === 'new-token') return pause(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict === 'failed') return failed(outgoing, set, answer)
  if (verdict === 'compare' || isTakenAlready(answer)) return compare(outgoing, { set, entry, refusal: answer })
  if (verdict === 'missing') return missing(outgoing, set, answer)
  return needsPerson(outgoing, set, problemsBy(set, answer))
}

/** Again and again, then a person is told; meanwhile nothing overtakes it. */
async function failed(outgoing: Outgoing, set: readonly Entry[], answer: Failure): Promise<Step> {
  const failures = Math.max(...set.map((entry) => entry.failures)) + 1
  await amend(outgoing.database, ...set.map(({ n }) => [n, { failures }] as const))
  if (failures < mostFailures) return pause(answer)
  return needsPerson(outgoing, set, new Map(set.map(({ n }) => [n, problemOf(answer)])))
}

/** Made before under this UUID: by this account otherwise than now, or, where somebody else sends it, by its author. */
const isTakenAlready = ({ type }: Failure) => type === 'urn:furrow:refusal:uuid-taken'

/** What was to be removed and is not there is removed. */
async function missing(outgoing: Outgoing, set: readonly Entry[], answer: Failure): Promise<Step> {
  const entry = entryAt(set, answer)
  if (entry.method !== 'DELETE') {
    const removed = await whoRemoved(entry)
    return needsPerson(outgoing, set, new Map([[entry.n, problemOf(answer, removed)]]))
  }
  return settleRead(outgoing, [entry], null)
}

/** Of a batch the faults say in which operation they are; of a single request there is only one. */
function entryAt(set: readonly Entry[], { errors }: Failure): Entry {
  const at = set[operationIn(errors[0]?.field ?? '')] ?? set[0]
  if (at === undefined) throw new Error('Nothing was sent.')
  return at
}

const operationIn = (field: string): number => Number(/^operations\[(\d+)\]/.exec(field)?.[1] ?? 0)

function problemsBy(set: readonly Entry[], answer: Failure): ReadonlyMap<number, Problem> {
  const problems = new Map<number, Problem>()
  for (const [index, { n }] of set.entries()) {
    const errors = set.length === 1 ? answer.errors : errorsOf(index, answer)
    if (errors.length > 0 || set.length === 1) problems.set(n, { ...problemOf(answer), errors })
  }
  return problems.size > 0 ? problems : new Map(set.slice(0, 1).map(({ n }) => [n, problemOf(answer)]))
}

function errorsOf(index: number, { errors }: Failure): Problem['errors'] {
  return errors
    .filter(({ field }) => field.startsWith(`operations[${index}]`))
    .map(({ field, message }) => ({ field: field.replace(/^operations\[\d+\](?:\.body)?\.?/, ''), message }))
}

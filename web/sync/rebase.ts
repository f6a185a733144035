import { freshRequest } from '../store/enqueue.ts'
import { people } from '../store/local-copy.ts'
import { memory } from '../store/memory.ts'
import { amendEntries } from '../store/outbox.ts'
import type { Entry, EntryProblem } from '../store/outbox-entry.ts'
import { type LocalRecord, type RecordFields, typeOnTheWire } from '../store/record.ts'
import { mergeFields } from '../store/three-way-merge.ts'
import { readRecords } from './list-pages.ts'
import { askServer, type Failure, offlineFailure, ServerFailure } from './request.ts'
import {
  acknowledgeByReading,
  acknowledgeRecords,
  needsPerson,
  pauseSending,
  problemOf,
  type SendContext,
  type SendStep,
  sendNext,
} from './send-outcome.ts'

interface RebaseCase {
  readonly set: readonly Entry[]
  /** The entry of the set to rebase. */
  readonly entry: Entry
  /** Null if it was not sent yet. */
  readonly refusal: Failure | null
}

/** Rebases an entry onto the newer version of the server: merges what it can, and asks the user about conflicts. */
export async function rebase(context: SendContext, comparison: RebaseCase): Promise<SendStep> {
  const { entry } = comparison
  try {
    const [theirs] = await readRecords(entry.type, [entry.record], memory.catalogue.peek())
    if (theirs === undefined) return gone(context, comparison)
    if (entry.method === 'POST') return madeBefore(context, comparison, theirs)
    if (entry.method === 'DELETE') return changedBeforeRemoval(context, comparison, theirs)
    return merge(context, comparison, theirs)
  } catch (error) {
    if (error instanceof ServerFailure) return pauseSending(error.failure)
    throw error
  }
}

async function gone(context: SendContext, { set, entry, refusal }: RebaseCase): Promise<SendStep> {
  const removed = await whoRemoved(entry)
  return needsPerson(context, set, new Map([[entry.n, problemOf(refusal ?? offlineFailure, removed)]]))
}

/** The UUID exists: the author has sent it after all, or this account created it before with other content. */
async function madeBefore(context: SendContext, comparison: RebaseCase, theirs: LocalRecord): Promise<SendStep> {
  const { set, entry, refusal } = comparison
  const writer = (theirs.fields.uid as { id?: string } | undefined)?.id
  const account = context.author?.uid ?? memory.me.peek()?.account.id
  // Another phone has made the same log category, which everyone knows by its UUID.
  if (entry.type === 'term' && entry.name === theirs.name) return acknowledgeByReading(context, [entry], null)
  if (writer !== account) return needsPerson(context, set, new Map([[entry.n, problemOf(refusal ?? offlineFailure)]]))
  // A set is sent as one batch, so all of it is there.
  if (context.author !== null) return acknowledgeByReading(context, set, null)
  return merge(context, { ...comparison, entry: { ...entry, method: 'PUT' } }, theirs)
}

async function changedBeforeRemoval(
  context: SendContext,
  comparison: RebaseCase,
  theirs: LocalRecord,
): Promise<SendStep> {
  const { set, entry, refusal } = comparison
  const by = await whoChanged(entry)
  const problem = problemOf(refusal ?? offlineFailure, { conflicts: [], tag: theirs.version, ...by })
  return needsPerson(context, set, new Map([[entry.n, problem]]))
}

async function merge(context: SendContext, comparison: RebaseCase, theirs: LocalRecord): Promise<SendStep> {
  const { set, entry, refusal } = comparison
  const now: RecordFields = { name: theirs.name, ...theirs.fields }
  const known = memory.catalogue.peek()?.types[typeOnTheWire[entry.type]][entry.bundle]?.fields ?? {}
  const sides = { base: entry.base ?? {}, mine: entry.body, theirs: now, fields: known }
  const { fields, conflicts } = mergeFields(sides)
  if (conflicts.length > 0) {
    const problem = problemOf(refusal ?? offlineFailure, {
      conflicts,
      tag: theirs.version,
      ...(await whoChanged(entry)),
    })
    return needsPerson(context, set, new Map([[entry.n, problem]]))
  }
  if (Object.keys(fields).length === 0 && set.length === 1) {
    await acknowledgeRecords(context, set, { changeSet: null, records: [theirs] })
    return sendNext
  }
  const { method } = entry
  const again = { method, body: fields, base: now, tag: theirs.version }
  await amendEntries(
    context.database,
    ...set.map(({ n }) => [n, { ...freshRequest(), ...(n === entry.n ? again : {}) }] as const),
  )
  return sendNext
}

interface LastChange {
  readonly revisions: readonly { readonly at: string; readonly who: { readonly name: string | null } }[]
}

async function whoChanged({ type, record }: Entry): Promise<Pick<EntryProblem, 'by'>> {
  const answer = await askServer<LastChange>(`/${typeOnTheWire[type]}/${record}/history.json?limit=1`)
  const last = answer.failure === null ? answer.body.revisions[0] : undefined
  return last === undefined ? {} : { by: { name: last.who.name ?? '', at: Number(last.at) } }
}

interface InTrash {
  readonly removed: string
  readonly removed_by: { readonly id: string } | null
}

/** Account that removed a record, and when, while the record is in the trash. */
export async function whoRemoved({ record }: Entry): Promise<Pick<EntryProblem, 'by' | 'removed'>> {
  const answer = await askServer<InTrash>(`/trash/${record}.json`)
  if (answer.failure !== null) return { removed: 'for-good' }
  const { removed, removed_by } = answer.body
  const name = people.peek().get(removed_by?.id ?? '') ?? ''
  return { removed: 'to-trash', by: { name, at: Number(removed) } }
}

import { amend } from '../store/amend.ts'
import type { Entry, Problem } from '../store/entry.ts'
import { memory } from '../store/memory.ts'
import { mergeFields } from '../store/merge.ts'
import { anew } from '../store/plan.ts'
import { typeOnTheWire } from '../store/row.ts'
import type { Fields, KeptRecord } from '../store/types.ts'
import { ask, type Failure, NoAnswer, noAnswer } from './ask.ts'
import { needsPerson, next, type Outgoing, pause, problemOf, type Step } from './outgoing.ts'
import { readRecords } from './read-records.ts'
import { whoRemoved } from './removed.ts'
import { settleAs, settleRead } from './settle.ts'

export interface Comparison {
  readonly set: readonly Entry[]
  /** The one of the set that is to be compared with what the server has. */
  readonly entry: Entry
  /** Why; nothing where it was not sent yet. */
  readonly refusal: Failure | null
}

/** The server has another state than the one that was read: what does not contradict it goes out anew, the rest a person decides. */
export async function compare(outgoing: Outgoing, comparison: Comparison): Promise<Step> {
  const { entry } = comparison
  try {
    const [theirs] = await readRecords(entry.type, [entry.record], memory.catalogue.peek())
    if (theirs === undefined) return gone(outgoing, comparison)
    if (entry.method === 'POST') return madeBefore(outgoing, comparison, theirs)
    if (entry.method === 'DELETE') return changedBeforeRemoval(outgoing, comparison, theirs)
    return merge(outgoing, comparison, theirs)
  } catch (error) {
    if (error instanceof NoAnswer) return pause(error.failure)
    throw error
  }
}

async function gone(outgoing: Outgoing, { set, entry, refusal }: Comparison): Promise<Step> {
  const removed = await whoRemoved(entry)
  return needsPerson(outgoing, set, new Map([[entry.n, problemOf(refusal ?? noAnswer, removed)]]))
}

/** Its author has sent it after all; or this account has made it before, and otherwise. */
async function madeBefore(outgoing: Outgoing, comparison: Comparison, theirs: KeptRecord): Promise<Step> {
  const { set, entry, refusal } = comparison
  const writer = (theirs.fields.uid as { id?: string } | undefined)?.id
  const account = outgoing.author?.uid ?? memory.me.peek()?.account.id
  if (writer !== account) return needsPerson(outgoing, set, new Map([[entry.n, problemOf(refusal ?? noAnswer)]]))
  // What was sent together is there together.
  if (outgoing.author !== null) return settleRead(outgoing, set, null)
  return merge(outgoing, { ...comparison, entry: { ...entry, method: 'PUT' } }, theirs)
}

async function changedBeforeRemoval(outgoing: Outgoing, comparison: Comparison, theirs: KeptRecord): Promise<Step> {
  const { set, entry, refusal } = comparison
  const by = await whoChanged(entry)
  const problem = problemOf(refusal ?? noAnswer, { conflicts: [], tag: theirs.version, ...by })
  return needsPerson(outgoing, set, new Map([[entry.n, problem]]))
}

async function merge(outgoing: Outgoing, comparison: Comparison, theirs: KeptRecord): Promise<Step> {
  const { set, entry, refusal } = comparison
  const now: Fields = { name: theirs.name, ...theirs.fields }
  const known = memory.catalogue.peek()?.types[typeOnTheWire[entry.type]][entry.bundle]?.fields ?? {}
  const sides = { base: entry.base ?? {}, mine: entry.body, theirs: now, fields: known }
  const { fields, conflicts } = mergeFields(sides)
  if (conflicts.length > 0) {
    const problem = problemOf(refusal ?? noAnswer, { conflicts, tag: theirs.version, ...(await whoChanged(entry)) })
    return needsPerson(outgoing, set, new Map([[entry.n, problem]]))
  }
  if (Object.keys(fields).length === 0 && set.length === 1) {
    await settleAs(outgoing, set, { changeSet: null, records: [theirs] })
    return next
  }
  const { method } = entry
  const again = { method, body: fields, base: now, tag: theirs.version }
  await amend(outgoing.database, ...set.map(({ n }) => [n, { ...anew(), ...(n === entry.n ? again : {}) }] as const))
  return next
}

interface LastChange {
  readonly revisions: readonly { readonly at: string; readonly who: { readonly name: string | null } }[]
}

async function whoChanged({ type, record }: Entry): Promise<Pick<Problem, 'by'>> {
  const answer = await ask<LastChange>(`/${typeOnTheWire[type]}/${record}/history.json?limit=1`)
  const last = answer.failure === null ? answer.body.revisions[0] : undefined
  return last === undefined ? {} : { by: { name: last.who.name ?? '', at: Number(last.at) } }
}

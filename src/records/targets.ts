import type { Field, Fields, ReferenceField } from '../fields/field.ts'
import type { Draft, Drafts, PartDraft, PartValue, ReferenceDraft, Value } from '../fields/value.ts'
import { lockAccountsToName } from '../storage/access/account-rows.ts'
import { bundlesOfLocked } from '../storage/records/record-rows.ts'
import type { Write } from './write.ts'

type To = ReferenceField['to']

/** The bundle of each record that references may point to, by its id; those that do not exist are missing. */
export type Targets = ReadonlyMap<To, ReadonlyMap<number, string>>

/** What the references of a draft point to, looked up together: one question for each type of record. */
export async function targetsOf(write: Write, fields: Fields, drafts: Drafts): Promise<Targets> {
  const asked = new Map<To, Set<number>>()
  collect({ fields, drafts, before: write.before }, asked)
  const targets = new Map<To, ReadonlyMap<number, string>>()
  for (const [to, ids] of asked) targets.set(to, await bundlesOf(write, to, [...ids]))
  return targets
}

/** The references that a field had before; they need not be looked up again. */
export const hadBefore = (before: Value | undefined): ReadonlySet<Value | undefined> =>
  new Set(Array.isArray(before) ? (before as readonly Value[]) : [before])

/** A field has one draft or a list of them. */
export const draftsIn = <D extends Draft>(draft: Draft): readonly D[] =>
  (Array.isArray(draft) ? draft : [draft]) as readonly D[]

interface Spot {
  readonly fields: Fields
  readonly drafts: Drafts
  readonly before: Readonly<Record<string, Value | undefined>>
}

function collect({ fields, drafts, before }: Spot, asked: Map<To, Set<number>>): void {
  for (const [name, draft] of Object.entries(drafts)) {
    const field: Field | undefined = fields[name]
    if (field?.kind === 'reference') collectReferences(field, { draft, before: before[name] }, asked)
    if (field?.kind !== 'part') continue
    const old = Array.isArray(before[name]) ? (before[name] as readonly PartValue[]) : [before[name] as PartValue]
    for (const [index, { part }] of draftsIn<PartDraft>(draft).entries())
      collect({ fields: field.fields, drafts: part, before: old[index] ?? {} }, asked)
  }
}

function collectReferences(
  { to }: ReferenceField,
  { draft, before }: { readonly draft: Draft; readonly before: Value | undefined },
  asked: Map<To, Set<number>>,
): void {
  const already = hadBefore(before)
  for (const one of draftsIn<ReferenceDraft>(draft)) {
    if (one.ref !== 'id' || already.has(one.id)) continue
    const ids = asked.get(to) ?? new Set()
    asked.set(to, ids.add(one.id))
  }
}

/** A user counts as one while not blocked. */
async function bundlesOf(write: Write, to: To, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (to === 'user') {
    const accounts = await lockAccountsToName(write.rows, ids)
    return new Map(accounts.filter((account) => !account.blocked).map((account) => [account.uid, 'user']))
  }
  if (to === 'taxonomy_vocabulary') return new Map([...write.keeping.vocabularies].map(([name, vid]) => [vid, name]))
  return bundlesOfLocked(write.rows, to, ids)
}

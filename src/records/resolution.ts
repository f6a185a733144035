import { randomUUID } from 'node:crypto'
import type { Field, ReferenceField } from '../fields/field.ts'
import type { Place } from '../fields/place.ts'
import type { Draft, FileDraft, PartDraft, PartValue, ReferenceDraft, Value, Values } from '../fields/value.ts'
import { lockAccountsToName } from '../storage/access/account-rows.ts'
import { bundlesOfLocked } from '../storage/records/record-rows.ts'
import { claimTermName, termByName } from '../storage/records/term-rows.ts'
import { attachmentsOf } from './attachments.ts'
import type { RecordDraft } from './drafting.ts'
import { withIdentities, withIdentity } from './part-identity.ts'
import { storeNew } from './storing.ts'
import type { Write } from './write.ts'

/** Turns drafts into values: looks references up, creates terms by name, keeps files. Faults go where they stand. */
export async function resolve(write: Write, draft: RecordDraft): Promise<Values> {
  const values: Record<string, Value> = {}
  for (const [name, field] of Object.entries(draft.fields)) {
    const asked = draft.drafts[name]
    if (asked === undefined) continue
    const value = await resolveField(write, { field, before: write.before[name], place: draft.placeOf(name) }, asked)
    if (value !== undefined) values[name] = value
  }
  return values
}

interface Spot {
  readonly field: Field
  readonly before: Value | undefined
  readonly place: Place
}

async function resolveField(write: Write, spot: Spot, draft: Draft): Promise<Value | undefined> {
  const { field, before, place } = spot
  switch (field.kind) {
    case 'reference':
      return resolveReferences(write, { field, before, place }, draft as ReferenceDraft | readonly ReferenceDraft[])
    case 'attachment':
      return attachmentsOf(
        write,
        { field, before: (before ?? []) as readonly number[], place },
        draft as readonly FileDraft[],
      )
    case 'part':
      return Array.isArray(draft)
        ? resolveParts(write, spot, draft as readonly PartDraft[])
        : withIdentity(await resolvePart(write, spot, draft as PartDraft), before as PartValue | undefined)
    case 'yes-no':
      // No is the absence of a yes, whether it was said or not.
      return draft === true ? true : undefined
    default:
      // Every other kind's draft is its value.
      return draft as Value
  }
}

async function resolveParts(write: Write, spot: Spot, drafts: readonly PartDraft[]): Promise<readonly PartValue[]> {
  const { field, place } = spot
  const before = (spot.before ?? []) as readonly PartValue[]
  const parts = await inOrder(drafts, (one, index) =>
    resolvePart(write, { field, before: before[index], place: place.inside(index) }, one),
  )
  return withIdentities(parts, before)
}

async function resolvePart(write: Write, { field, before, place }: Spot, { part }: PartDraft): Promise<Values> {
  const old = before as PartValue | undefined
  const values: Record<string, Value> = {}
  if (field.kind !== 'part') throw new Error(`${place.at} is not a part`)
  for (const [name, own] of Object.entries(field.fields)) {
    const asked = part[name]
    if (asked === undefined) continue
    const value = await resolveField(write, { field: own, before: old?.[name], place: place.inside(name) }, asked)
    if (value !== undefined) values[name] = value
  }
  return values
}

interface ReferenceSpot {
  readonly field: ReferenceField
  readonly before: Value | undefined
  readonly place: Place
}

async function resolveReferences(
  write: Write,
  spot: ReferenceSpot,
  draft: ReferenceDraft | readonly ReferenceDraft[],
): Promise<Value | undefined> {
  const drafts = Array.isArray(draft) ? (draft as readonly ReferenceDraft[]) : [draft as ReferenceDraft]
  const already = new Set(Array.isArray(spot.before) ? spot.before : [spot.before])
  const asked = drafts.flatMap((one) => (one.ref === 'id' && !already.has(one.id) ? [one.id] : []))
  const targets = await targetsOf(write, spot.field, asked)
  const ids = await inOrder(drafts, async (one, index) => {
    const place = Array.isArray(draft) ? spot.place.inside(index) : spot.place
    if (one.ref === 'name') return termNamed(write, spot.field, one.name)
    return already.has(one.id)
      ? one.id
      : checkedTarget(spot.field, { id: one.id, bundle: targets.get(one.id), place, own: write.bundle })
  })
  const unique = [...new Set(ids)]
  return Array.isArray(draft) ? unique : unique[0]
}

/** The bundle of each target that exists; a user counts as one while not blocked. */
async function targetsOf(
  write: Write,
  field: ReferenceField,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (field.to === 'user') {
    const accounts = await lockAccountsToName(write.rows, ids)
    return new Map(accounts.filter((account) => !account.blocked).map((account) => [account.uid, 'user']))
  }
  if (field.to === 'taxonomy_vocabulary')
    return new Map([...write.keeping.vocabularies].map(([name, vid]) => [vid, name]))
  return bundlesOfLocked(write.rows, field.to, [...new Set(ids)])
}

interface Target {
  readonly id: number
  readonly bundle: string | undefined
  readonly place: Place
  /** The bundle of the record that refers. */
  readonly own: string
}

const things = {
  log: 'log',
  farm_asset: 'asset',
  taxonomy_term: 'term',
  taxonomy_vocabulary: 'vocabulary',
  user: 'active user',
}

function checkedTarget(field: ReferenceField, { id, bundle, place, own }: Target): number | undefined {
  if (bundle === undefined) return place.fault(`there is no ${things[field.to]} with the id ${id}`)
  const within = field.within === 'own' ? [own] : field.within
  if (within === undefined || within.includes(bundle)) return id
  return place.fault(`${things[field.to]} ${id} is of the type ${bundle}`, within)
}

/** The term of that name in the field's own vocabulary, created if there is none yet. */
async function termNamed(write: Write, field: ReferenceField, name: string): Promise<number> {
  const bundle = field.within === 'own' ? write.bundle : (field.within?.[0] ?? write.bundle)
  const existing = await lockedTermNamed(write, bundle, name)
  if (existing !== undefined) return existing
  await claimTermName(write.rows, bundle, name)
  const created = await lockedTermNamed(write, bundle, name)
  if (created !== undefined) return created
  const { rows, now, caller } = write
  const term = await storeNew(rows, write.keeping.farm, {
    uid: caller.uid,
    record: {
      type: 'taxonomy_term',
      uuid: randomUUID(),
      bundle,
      uid: caller.uid,
      created: now,
      changed: now,
      revision: 1,
      values: { name, weight: 0 },
    },
  })
  return term.id
}

/** Found and locked: between the two somebody else may have removed it. */
async function lockedTermNamed({ rows }: Write, bundle: string, name: string): Promise<number | undefined> {
  for (;;) {
    const id = await termByName(rows, bundle, name)
    if (id === undefined || (await bundlesOfLocked(rows, 'taxonomy_term', [id])).has(id)) return id
  }
}

/** One after the other: inside a transaction there is one conversation with the database. */
async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R | undefined>,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    const result = await work(item, index)
    if (result !== undefined) results.push(result)
  }
  return results
}

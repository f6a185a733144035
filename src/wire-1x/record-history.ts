import { isDeepStrictEqual } from 'node:util'
import type { TrashView } from '../access/caller.ts'
import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle, olderFields } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import type { Value } from '../fields/value.ts'
import { type ChangeAuthor, type Revision, type RevisionQuery, revisionsOf } from '../records/past/revisions.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { filesByIds } from '../storage/file-rows.ts'
import { lastToldBefore } from '../storage/journal.ts'
import { termNames } from '../storage/records/record-rows.ts'
import { addressOfFile } from './record-documents.ts'
import { spellOlder, type WireSpeller } from './spelling.ts'

interface HistoryQuery extends RevisionQuery {
  readonly installation: Records
  readonly base: string
}

/** The revisions of a record in 1.x form. */
export async function recordHistory(snapshot: Snapshot, { installation, base, ...asked }: HistoryQuery) {
  const { uuid, revisions, next } = await revisionsOf(snapshot, asked)
  const fields = revisions.map(({ change }) => change && changedFields(installation, change))
  const speller = await spellerOfThePast(snapshot, fields, { base, trash: asked.trash })
  return {
    type: resourceNames[asked.type],
    id: String(asked.id),
    uuid,
    revisions: revisions.map((revision, index) => revisionOf(revision, fields[index]?.(speller) ?? null)),
    next,
  }
}

const revisionOf = ({ revision, verb, at, who, client, request, set }: Revision, fields: ChangedFields | null) => ({
  revision,
  verb,
  at: String(at),
  who: who && whoOf(who),
  client,
  request,
  set,
  fields,
})

const noLongerThere = 'no longer there'

interface HistorySpelling {
  readonly base: string
  readonly trash: TrashView
}

/** Spells what was, with the terms and files that have gone since. */
async function spellerOfThePast(
  snapshot: Snapshot,
  spelled: readonly (FieldsSpelled | null)[],
  { base, trash }: HistorySpelling,
): Promise<WireSpeller> {
  const terms = new Set<number>()
  const files = new Set<number>()
  const collecting: WireSpeller = {
    base,
    nameOf(term) {
      terms.add(term)
      return String(term)
    },
    textOfFile(file) {
      files.add(file)
      return String(file)
    },
  }
  for (const fields of spelled) fields?.(collecting)
  const names = trash === 'shown' ? await namesOfTerms(snapshot, [...terms]) : await termNames(snapshot, [...terms])
  const there = await filesByIds(snapshot, [...files])
  return {
    base,
    nameOf: (term) => names.get(term) ?? '',
    textOfFile(id) {
      const file = there.get(id)
      return file === undefined ? noLongerThere : addressOfFile(base, file)
    },
    requested: (_name, spelled) => spelled,
  }
}

/** A removed term keeps its last name. */
async function namesOfTerms(snapshot: Snapshot, terms: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map(await termNames(snapshot, terms))
  for (const id of terms) {
    if (names.has(id)) continue
    const last = await lastToldBefore(snapshot, { type: 'term', id }, Number.MAX_SAFE_INTEGER)
    if (last !== undefined) names.set(id, String(last.values.name))
  }
  return names
}

type ChangedFields = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>

/** The fields that a change is about, each as it was and as it is from then on; how they are spelled, a speller says. */
type FieldsSpelled = (speller: WireSpeller) => ChangedFields

function changedFields(
  { farm }: { readonly farm: Farm },
  { before, after }: NonNullable<Revision['change']>,
): FieldsSpelled {
  const fields = olderFields(fieldsOfBundle(farm.records[after.type], after.bundle))
  const differing = [...fields].filter(([, { own }]) => !isDeepStrictEqual(before?.values[own], after.values[own]))
  return (speller) => {
    const changed: Record<string, ChangedFields[string]> = {}
    for (const [name, older] of differing) {
      const spell = (value: Value | undefined) => spellOlder(older, value, speller) ?? null
      const was = before === null ? null : spell(before.values[older.own])
      const is = spell(after.values[older.own])
      if (!isDeepStrictEqual(was, is)) changed[name] = { before: was, after: is }
    }
    return changed
  }
}

/** Somebody who changed something, by the account as it is kept. */
export const whoOf = ({ uid, name, blocked }: ChangeAuthor) => ({ uid: String(uid), name, blocked })

import type { TrashView } from '../../../access/caller.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesByIds } from '../../../storage/file-rows.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import { lastToldBefore } from '../../../storage/journal.ts'
import { addressOfFile } from '../wire/file-texts.ts'
import type { Speller } from '../wire/spelling.ts'
import type { FieldsSpelled } from './changed-fields.ts'

const noLongerThere = 'no longer there'

interface Showing {
  readonly base: string
  readonly trash: TrashView
}

/** Spells what was, with the terms and files that have gone since. */
export async function spellerOfThePast(
  snapshot: Snapshot,
  spelled: readonly (FieldsSpelled | null)[],
  { base, trash }: Showing,
): Promise<Speller> {
  const terms = new Set<number>()
  const files = new Set<number>()
  const collecting: Speller = {
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
  const names = trash === 'shown' ? await namesOf(snapshot, [...terms]) : await termNames(snapshot, [...terms])
  const there = await filesByIds(snapshot, [...files])
  return {
    base,
    nameOf: (term) => names.get(term) ?? '',
    textOfFile(id) {
      const file = there.get(id)
      return file === undefined ? noLongerThere : addressOfFile(base, file)
    },
  }
}

/** Of a term that was removed its last name. */
async function namesOf(snapshot: Snapshot, terms: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map(await termNames(snapshot, terms))
  for (const id of terms) {
    if (names.has(id)) continue
    const last = await lastToldBefore(snapshot, { type: 'term', id }, Number.MAX_SAFE_INTEGER)
    if (last !== undefined) names.set(id, String(last.values.name))
  }
  return names
}

import { fieldsOfBundle } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import type { ReferableType } from '../../../fields/field.ts'
import type { Records } from '../../../records/records.ts'
import type { TrashEntry, TrashedRecord } from '../../../records/trash.ts'
import { namedIn } from '../../../records/writing/named-records.ts'
import type { RestoreResult } from '../../../records/writing/restore.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../../storage/records/stored.ts'
import { type Document, documentOf } from '../wire/document.ts'
import { plainReference } from '../wire/spelling.ts'

/** A record in the trash: what and whose it was, since when it lies there, until when, and its files. */
export const entryDocument = (base: string, { uuid, removal, ends, files, ...entry }: TrashEntry): Document => ({
  uuid,
  id: String(entry.id),
  resource: resourceNames[entry.type],
  type: entry.bundle,
  name: entry.name,
  removed: String(removal.at),
  removed_by: removal.uid === 0 ? null : plainReference(base, 'user', removal.uid),
  set: removal.set_id,
  ends: String(ends),
  uri: `${base}/trash/${uuid}`,
  files: files.map(({ id, name, mime, size }) => ({
    id: String(id),
    name,
    mime,
    size: String(size),
    uri: addressOfFile(base, uuid, id),
  })),
})

const addressOfFile = (base: string, uuid: string, file: number): string => `${base}/trash/${uuid}/files/${file}`

interface Showing {
  readonly installation: Records
  readonly base: string
}

/** The same with the record as it was: its files by their addresses in the trash, and terms by the names that they have now. */
export async function documentInTrash(
  snapshot: Snapshot,
  entry: TrashedRecord,
  { installation, base }: Showing,
): Promise<Document> {
  const { record, uuid } = entry
  const fields = fieldsOfBundle(installation.farm.records[record.type], record.bundle)
  const terms = namedIn(fields, record.values).flatMap(({ to, id }) => (to === 'term' ? [id] : []))
  const names = await termNames(snapshot, [...new Set(terms)])
  const speller = {
    base,
    nameOf: (term: number) => names.get(term) ?? '',
    textOfFile: (file: number) => addressOfFile(base, uuid, file),
  }
  return { ...entryDocument(base, entry), record: documentOf(record, installation, speller) }
}

/** What came back, what of it was left out, and which terms have the same name as another. */
export const restoredDocument = (base: string, { records, dropped, namesakes }: RestoreResult): Document => ({
  restored: records.map((record) => ({ ...named(base, record), uuid: record.uuid })),
  left_out: dropped.map(({ of, field, to, id }) => ({
    from: named(base, of),
    field,
    id: String(id),
    resource: to === 'file' ? 'file' : resourceNames[to satisfies ReferableType],
  })),
  same_name: namesakes.map(({ term, others }) => ({
    ...named(base, term),
    others: others.map((id) => plainReference(base, 'term', id)),
  })),
})

const named = (base: string, record: StoredRecord) => ({
  ...plainReference(base, record.type, record.id),
  name: nameOf(record) ?? '',
})

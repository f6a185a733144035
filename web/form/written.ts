import type { CatalogueFields } from '../../src/doors/web/catalogue.ts'
import type { Change, NewPhoto } from '../store/change.ts'
import type { Fields } from '../store/types.ts'
import { changedFields } from './changed.ts'
import { type Fault, listOf } from './control.ts'
import { isAsked } from './order.ts'
import { type ReadingBy, readValues } from './read-values.ts'
import type { Subject } from './subject.ts'

/** What a form has to say when it is saved; nothing to change is no change. */
export interface Written {
  readonly uuid: string
  readonly name: string
  readonly changes: readonly Change[]
  readonly photos: readonly NewPhoto[]
}

interface Writing {
  readonly subject: Subject
  readonly fields: CatalogueFields
  readonly uuid: string
  readonly values: Fields
}

type Outcome =
  | { readonly faults: readonly Fault[]; readonly written: null }
  | { readonly faults: null; readonly written: Written }

/** Checks what was written by the catalogue, and makes changes of it: only of what differs from what was read. */
export function writtenBy({ subject, fields, uuid, values }: Writing, by: ReadingBy): Outcome {
  const asked = only(fields, (name) => isAsked(name, fields[name] as CatalogueFields[string]))
  const kept = { ...values, ...withoutNewFiles(asked, values) }
  const photos = newFiles(asked, values, uuid)
  const name = String(values.name ?? '')
  const { type, bundle, record } = subject
  if (record === null) {
    const { values: read, faults } = readValues(asked, kept, by)
    if (faults.length > 0) return { faults, written: null }
    return {
      faults: null,
      written: {
        uuid,
        name,
        photos,
        changes: [{ verb: 'make', type, bundle, uuid, fields: { ...unowned(asked), ...read } }],
      },
    }
  }
  const before = { name: record.name, ...record.fields }
  const touched = only(asked, (field) => field in changedFields(asked, before, kept))
  const { values: read, faults } = readValues(touched, kept, by)
  if (faults.length > 0) return { faults, written: null }
  const changed = changedFields(touched, before, read)
  const changes: readonly Change[] =
    Object.keys(changed).length === 0 ? [] : [{ verb: 'change', type, uuid, fields: changed, read: record }]
  return { faults: null, written: { uuid, name, photos, changes } }
}

/** Nobody is chosen: left out, the farm would choose the author. */
const unowned = (fields: CatalogueFields): Fields => ('log_owner' in fields ? { log_owner: [] } : {})

const only = (fields: CatalogueFields, isWanted: (name: string) => boolean): CatalogueFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)))

const attachments = (fields: CatalogueFields): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.kind === 'attachment')

function withoutNewFiles(fields: CatalogueFields, values: Fields): Fields {
  const kept = attachments(fields).map((name) => [name, listOf(values[name]).filter((one) => !(one instanceof Blob))])
  return Object.fromEntries(kept)
}

/** New photos and files are sent by themselves, after what was written. */
function newFiles(fields: CatalogueFields, values: Fields, record: string): readonly NewPhoto[] {
  return attachments(fields).flatMap((name) =>
    listOf(values[name])
      .filter((one) => one instanceof Blob)
      .map((file): NewPhoto => ({ record, field: name === 'images' ? 'images' : 'files', file })),
  )
}

import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Fields } from '../../fields/field.ts'
import { admit } from '../../fields/gate.ts'
import { numberedPlaceAt, placeAt } from '../../fields/place.ts'
import type { FileDraft, NewFile } from '../../fields/value.ts'
import { type Fault, Refusal } from '../../refusal.ts'
import { type Identity, identitiesToClaim, noteDraft } from '../../storage/identity.ts'
import { must } from '../../storage/must.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { uuidTaken } from './create-once.ts'
import type { RecordDraft } from './draft.ts'
import { noSuchRecord, updateIn } from './update.ts'
import type { Work } from './work.ts'

export interface FileAddition {
  readonly type: RecordTypeName
  readonly id: number
  /** The field that it is added to. */
  readonly field: string
  /** What its sender calls that field. */
  readonly called: string
  /** The fields of a record that its sender knows of. */
  readonly shown: (fields: Fields) => Fields
  readonly file: NewFile & Required<Pick<NewFile, 'uuid'>>
  /** The revisions that the sender may have seen; to a record that has moved on since nothing is added. */
  readonly seen?: readonly number[]
}

export interface AddedFile {
  readonly file: number
  readonly record: StoredRecord
  /** Where it had been added before: the changes that it was added with. */
  readonly earlier?: string
}

/** Adds one file to what a record has, as a part of a transaction; one that was added under its UUID before stays the one it is, or was. */
export async function addFileIn(work: Work, addition: FileAddition): Promise<AddedFile> {
  requireRight(work.caller, 'write-records')
  const { type, id, field, called, shown, file, seen } = addition
  const { uuid } = file
  const known = (await identitiesToClaim(work.tx, [uuid])).get(uuid)
  if (known !== undefined) return addedBefore(work, known, addition)
  const { after } = await updateIn(work, {
    type,
    id,
    draftFor: (before) => draftWith(work, before, { field, called, shown, file }),
    ...(seen === undefined ? {} : { seen }),
  })
  await noteDraft(work.tx, uuid, noteOf(after, work.set.id))
  return { file: must(filesIn(after, field).at(-1)), record: after }
}

/** What is kept of how a file came: the record that it was added to, and the changes that it was added with. */
const noteOf = ({ type, id }: Pick<StoredRecord, 'type' | 'id'>, set: string): string => `${type} ${id} ${set}`

async function addedBefore({ tx }: Work, identity: Identity, { type, id }: FileAddition): Promise<AddedFile> {
  const noted = identity.draft ?? ''
  if (identity.type !== 'file' || !noted.startsWith(noteOf({ type, id }, '')))
    throw uuidTaken('stands for something else already; take a new one for this file')
  const record = (await recordsByIds(tx, type, [id])).get(id)
  if (record === undefined) throw noSuchRecord(type, id)
  return { file: identity.number, record, earlier: noted.split(' ')[2] ?? '' }
}

const filesIn = ({ values }: StoredRecord, field: string): readonly number[] => (values[field] ?? []) as readonly number[]

type Added = Pick<FileAddition, 'field' | 'called' | 'shown' | 'file'>

/** What the record has stays, also where one of its files has the same bytes. */
function draftWith({ installation }: Work, before: StoredRecord, { field: name, called, shown, file }: Added): RecordDraft {
  const fields = fieldsOfBundle(installation.farm.records[before.type], before.bundle)
  const field = shown(fields)[name]
  if (field?.kind !== 'attachment')
    throw new Refusal('not-found', `${before.type} ${before.id} is of the type ${before.bundle}, which has no ${name}.`)
  const faults: Fault[] = []
  const collected = { faults, words: () => [] }
  const drafts: readonly FileDraft[] = [...filesIn(before, name).map((id): FileDraft => ({ file: 'kept', id })), file]
  admit(field, file, placeAt(called, collected))
  return {
    fields,
    drafts: { [name]: drafts },
    given: new Map([[name, called]]),
    computed: {},
    faults,
    placeOf: (sent) => numberedPlaceAt(sent === name ? called : sent, collected),
  }
}

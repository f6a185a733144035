import { randomUUID } from 'node:crypto'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { inMebibytes } from '../../fields/byte-size.ts'
import type { AttachmentField, Fields } from '../../fields/field.ts'
import { validateValue } from '../../fields/kinds.ts'
import { valueLimits } from '../../fields/limits.ts'
import { numberedPlaceAt, placeAt } from '../../fields/place.ts'
import type { FileDraft, NewFile } from '../../fields/value.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import { fingerprint, insertFile, lockFiles, renameFile } from '../../storage/file-rows.ts'
import { type Identity, identitiesToClaim, noteDraft } from '../../storage/identity.ts'
import { lockToUpdate, recordsByIds } from '../../storage/records/record-rows.ts'
import { firstReferrers } from '../../storage/records/referrers.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { lockWaiting } from '../../storage/unused-files.ts'
import { uuidTaken } from './create.ts'
import { type RecordDraft, refuseFaults } from './draft.ts'
import { storeChange } from './storing.ts'
import { noSuchRecord, updateIn } from './update.ts'
import type { WriteContext } from './write-context.ts'

interface FileAddition {
  readonly type: RecordTypeName
  readonly id: number
  /** The field that it is added to. */
  readonly field: string
  /** The field's name in the request. */
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
  /** If it was already added: the change set that added it. */
  readonly earlier?: string
}

/** Adds one file to what a record has, as a part of a transaction; one that was added under its UUID before stays the one it is, or was. */
export async function addFileIn(work: WriteContext, addition: FileAddition): Promise<AddedFile> {
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

/** The origin of a file: its record, and the change set that added it. */
const noteOf = ({ type, id }: Pick<StoredRecord, 'type' | 'id'>, set: string): string => `${type} ${id} ${set}`

async function addedBefore({ tx }: WriteContext, identity: Identity, { type, id }: FileAddition): Promise<AddedFile> {
  const noted = identity.draft ?? ''
  if (identity.type !== 'file' || !noted.startsWith(noteOf({ type, id }, '')))
    throw uuidTaken('stands for something else already; take a new one for this file')
  const record = (await recordsByIds(tx, type, [id])).get(id)
  if (record === undefined) throw noSuchRecord(type, id)
  return { file: identity.number, record, earlier: noted.split(' ')[2] ?? '' }
}

const filesIn = ({ values }: StoredRecord, field: string): readonly number[] =>
  (values[field] ?? []) as readonly number[]

type FileToAdd = Pick<FileAddition, 'field' | 'called' | 'shown' | 'file'>

/** Present files stay, also with the same bytes. */
function draftWith(
  { installation }: WriteContext,
  before: StoredRecord,
  { field: name, called, shown, file }: FileToAdd,
): RecordDraft {
  const fields = fieldsOfBundle(installation.farm.records[before.type], before.bundle)
  const field = shown(fields)[name]
  if (field?.kind !== 'attachment')
    throw new Refusal('not-found', `${before.type} ${before.id} is of the type ${before.bundle}, which has no ${name}.`)
  const faults: RefusalFault[] = []
  const collected = { faults, words: () => [] }
  const drafts: readonly FileDraft[] = [...filesIn(before, name).map((id): FileDraft => ({ file: 'kept', id })), file]
  validateValue(field, file, placeAt(called, collected))
  return {
    fields,
    drafts: { [name]: drafts },
    given: new Map([[name, called]]),
    computed: {},
    faults,
    placeOf: (sent) => numberedPlaceAt(sent === name ? called : sent, collected),
  }
}

interface FileToCome {
  /** The field of the record that is to name it, and what its sender calls that. */
  readonly field: AttachmentField
  readonly called: string
  readonly file: NewFile & Required<Pick<NewFile, 'name'>>
}

/** Keeps a file for a record that is to come, as a part of a transaction. Answers its number. */
export async function keepFileToCome({ installation, tx, caller }: WriteContext, sent: FileToCome): Promise<number> {
  requireRight(caller, 'write-records')
  const { field, called, file } = sent
  const faults: RefusalFault[] = []
  validateValue(field, file, placeAt(called, { faults, words: () => [] }))
  refuseFaults(faults)
  const { files, bytes } = await lockWaiting(tx, caller.uid)
  if (files >= valueLimits.filesToCome || bytes + file.bytes.length > valueLimits.fileBytesToCome) throw tooMany()
  return insertFile(tx, {
    name: file.name,
    uuid: randomUUID(),
    mime: file.mime,
    bytes: file.bytes,
    sha256: fingerprint(file.bytes),
    uid: caller.uid,
    created: installation.clock(),
    for: 'a record to come',
  })
}

const tooMany = () =>
  new Refusal(
    'too-large',
    `An account may have ${valueLimits.filesToCome} files, and ${inMebibytes(valueLimits.fileBytesToCome)} of them, that no record names yet. ` +
      'Name those in their records first, or wait: they go after a day.',
  )

interface FileRenaming {
  readonly id: number
  readonly name: string
}

const mostRecords = 1_000

/** Calls a file something else, as a part of a transaction. The records that name it show its name, and have changed with it. */
export async function renameFileIn(
  { installation, tx, caller, set }: WriteContext,
  { id, name }: FileRenaming,
): Promise<void> {
  requireRight(caller, 'write-records')
  const file = (await lockFiles(tx, [id], caller.uid)).get(id)
  if (file === undefined) throw new Refusal('not-found', `There is no file ${id}.`)
  if (file.uid !== caller.uid) throw new Refusal('forbidden', 'A file is given another name by whoever has sent it.')
  if (file.name === name) return
  const changed = installation.clock()
  const referrers = await firstReferrers(tx, { type: 'file', id, most: mostRecords + 1 })
  if (referrers.length > mostRecords)
    throw new Refusal('conflict', `More than ${mostRecords} records name this file: its name stays as it is.`)
  await renameFile(tx, { id, name, changed })
  for (const { type, id: record } of referrers) {
    const before = await lockToUpdate(tx, type as RecordTypeName, record)
    if (before === undefined) continue
    const after = { ...before, changed, revision: before.revision + 1 }
    await storeChange(tx, installation.farm, { before, after, set })
  }
}

import { randomUUID } from 'node:crypto'
import { once } from '../../farm/fields-of.ts'
import { accepts, imagesOnly } from '../../fields/attachment.ts'
import { inMebibytes, mebibyte } from '../../fields/byte-size.ts'
import { type AttachmentField, type Fields, namesWhere } from '../../fields/field.ts'
import { isInAddress } from '../../fields/file-name.ts'
import { valueLimits } from '../../fields/limits.ts'
import { fileExtension } from '../../fields/mime.ts'
import type { InputPlace } from '../../fields/place.ts'
import { faultOfLine } from '../../fields/text.ts'
import type { Draft, FileDraft, KeptFile, NewFile, Values } from '../../fields/value.ts'
import type { RefusalFault } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import {
  filesByIds,
  fingerprint,
  insertFile,
  lockFiles,
  type StoredFile,
  updateFileTexts,
} from '../../storage/file-rows.ts'
import { keptFiles, takeFilesBack } from '../../storage/unused-files.ts'
import { type NamedByUuid, type RecordDraft, refuseFaults } from './draft.ts'
import type { RecordWriteContext } from './write-context.ts'

/** The files that one field of a record is to have. */
export interface WantedFiles {
  readonly write: RecordWriteContext
  readonly field: AttachmentField
  readonly drafts: readonly FileDraft[]
  readonly before: readonly number[]
  readonly place: InputPlace
  /** The targets of UUIDs in the drafts. */
  readonly named: NamedByUuid
}

/** Keeps the new files and those that are named; a new one with the bytes of one that is there is that one. */
export async function attachmentsOf(wanted: WantedFiles): Promise<readonly number[]> {
  const { write, field, before } = wanted
  const drafts = wanted.drafts.map((draft, index) => withId(wanted, draft, index))
  const named = drafts.flatMap((draft) => (draft?.file === 'kept' ? [draft.id] : []))
  const known = await lockFiles(write.tx, [...named, ...before], write.caller.uid)
  const there = before.filter((id) => !named.includes(id)).flatMap((id) => known.get(id) ?? [])
  const ids: number[] = []
  for (const [index, draft] of drafts.entries()) {
    if (draft === undefined) continue
    const place = wanted.place.inside(index)
    const id =
      draft.file === 'kept'
        ? checkedFile(field, { draft, file: known.get(draft.id), place })
        : (taken(there, draft) ?? (await newFile(wanted, draft, place)))
    if (id !== undefined) ids.push(id)
  }
  const waiting = ids.filter((id) => typeof known.get(id)?.unused_since === 'number')
  await takeFilesBack(write.tx, [...new Set(waiting)])
  return [...new Set(ids)]
}

/** A file that is named by its UUID as the one with that id. */
function withId({ named, place }: WantedFiles, draft: FileDraft, index: number): NewFile | KeptFile | undefined {
  if (draft.file !== 'uuid') return draft
  const identity = named.get(draft.uuid)
  if (identity?.type !== 'file') return place.inside(index).fault(`there is no file with the UUID ${draft.uuid}`)
  const { number } = identity
  if (draft.id === undefined || draft.id === number) return { file: 'kept', id: number }
  return place.inside(index).fault(`the UUID ${draft.uuid} is that of file ${number}, and not of ${draft.id}`)
}

/** Takes the file with these bytes out of those that are there: the same photo twice stays two photos. */
function taken(there: StoredFile[], { mime, bytes }: NewFile): number | undefined {
  if (there.length === 0) return undefined
  const sha256 = fingerprint(bytes)
  const at = there.findIndex((file) => file.sha256 === sha256 && file.mime === mime)
  return at < 0 ? undefined : there.splice(at, 1)[0]?.id
}

interface NamedFile {
  readonly draft: KeptFile
  readonly file: StoredFile | undefined
  readonly place: InputPlace
}

function checkedFile(field: AttachmentField, { draft, file, place }: NamedFile): number | undefined {
  if (file === undefined) return place.fault(`there is no file with the id ${draft.id}`)
  if (draft.name !== undefined && !isInAddress(file.name, draft.name)) {
    return place.fault(`the file ${draft.id} of this farm is called ${file.name}`)
  }
  return accepts(field, file.mime) ? file.id : place.fault(imagesOnly(file.mime), ['image/*'])
}

async function newFile(
  { write, field }: WantedFiles,
  { mime, bytes, name, uuid }: NewFile,
  place: InputPlace,
): Promise<number | undefined> {
  const most = write.installation.settings.fileMebibytes * mebibyte
  if (bytes.length > most) return place.fault(`is larger than ${inMebibytes(most)}`)
  const noun = field.accepts === 'image' ? 'image' : 'file'
  return insertFile(write.tx, {
    name: name ?? `${write.bundle}_${noun}_${write.now}.${fileExtension(mime)}`,
    uuid: uuid ?? randomUUID(),
    mime,
    bytes,
    sha256: fingerprint(bytes),
    uid: write.caller.uid,
    created: write.now,
    for: 'a record',
  })
}

const fieldsOfFiles = once((fields: Fields) => namesWhere(fields, ({ kind }) => kind === 'attachment'))

/** A record has so many files and bytes in all, photos and others together. */
export async function limitFiles(
  { tx, installation }: RecordWriteContext,
  draft: RecordDraft,
  values: Values,
): Promise<void> {
  const holders = fieldsOfFiles(draft.fields)
  const given = holders.find((name) => draft.drafts[name] !== undefined)
  if (given === undefined) return
  const ids = new Set(holders.flatMap((name) => (values[name] ?? []) as readonly number[]))
  if (ids.size > valueLimits.filesPerRecord) {
    draft
      .placeOf(given)
      .fault(`makes ${ids.size} files on this record; at most ${valueLimits.filesPerRecord} are taken`)
  }
  const files = await filesByIds(tx, [...ids])
  const bytes = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  const most = Math.max(valueLimits.fileBytesTogether, 2 * installation.settings.fileMebibytes * mebibyte)
  if (bytes > most) draft.placeOf(given).fault(`makes more than ${inMebibytes(most)} of files on this record`)
}

/** Says of files what a draft says of them. Answers whether that is anything else than before. */
export async function tellOfFiles(tx: Transaction, draft: RecordDraft): Promise<'retold' | 'as before'> {
  const told = fieldsOfFiles(draft.fields).flatMap((name) => toldIn(draft.drafts[name]))
  if (told.length === 0) return 'as before'
  const files = await keptFiles(
    tx,
    told.map(({ id }) => id),
  )
  let outcome: 'retold' | 'as before' = 'as before'
  for (const { id, texts } of told) {
    const file = files.get(id)
    if (file === undefined) continue
    const { alt, title, description } = { ...file, ...texts }
    if (alt === file.alt && title === file.title && description === file.description) continue
    const changed = Object.entries({ alt, title }).filter(([name, text]) => text !== file[name as 'alt' | 'title'])
    refuseFaults(changed.flatMap(([name, text]) => faultIn(`${name} of file ${id}`, text ?? '')))
    await updateFileTexts(tx, { id, alt, title, description })
    outcome = 'retold'
  }
  return outcome
}

function faultIn(field: string, text: string): readonly RefusalFault[] {
  const message = faultOfLine(text)
  return message === null ? [] : [{ field, message }]
}

const toldIn = (draft: Draft | undefined): readonly KeptFile[] =>
  // The draft of an attachment is a list of files.
  ((draft ?? []) as readonly FileDraft[]).filter(
    (one): one is KeptFile => one.file === 'kept' && Object.keys(one.texts ?? {}).length > 0,
  )

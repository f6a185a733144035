import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { ReferableType } from '../../fields/field.ts'
import type { Records } from '../../records/records.ts'
import type { TrashEntry, TrashedRecordView } from '../../records/trash.ts'
import { namedIn } from '../../records/writing/named-records.ts'
import type { RestoreResult } from '../../records/writing/restore.ts'
import type { Snapshot } from '../../storage/database.ts'
import { termNames } from '../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { mostTrashDays } from '../../storage/settings.ts'
import { documentOf } from '../../wire-1x/record-template.ts'
import { plainReference, type WireReference } from '../../wire-1x/spelling.ts'
import {
  answer,
  answerAs,
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  dryRun,
  idRef,
  ifMatch,
  ifNoneMatch,
  inQuery,
  nullable,
  operation,
  parameterRef,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  secondsRef,
  text,
  unchanged,
  uuid,
  webAddress,
  wholeRef,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import { idParameter, listSchema, resourceSchema } from '../http/record-parameters.ts'

const fileSchema = completeObject({ id: idRef, name: text, mime: text, size: wholeRef, uri: webAddress })

const record = { uri: webAddress, id: idRef, resource: resourceSchema, name: text }

const entry = {
  uuid,
  id: idRef,
  resource: resourceSchema,
  type: { type: 'string', description: 'The type of a log or asset, the vocabulary of a term' },
  name: text,
  removed: secondsRef,
  removed_by: { ...nullable(schemaRef<WireReference>('Reference')), description: 'Null where it was the command line' },
  set: { ...nullable(text), description: 'The change set of the removal' },
  ends: { ...secondsRef, description: 'When it ends for good' },
  uri: webAddress,
  files: arrayOf(schemaRef<DocumentOf<typeof fileSchema>>('TrashFile')),
} as const

const entrySchema = completeObject(entry)

type TrashDocument = DocumentOf<typeof entrySchema>

const trashedSchema = completeObject({
  ...entry,
  record: {
    type: 'object',
    description: 'The record as it was, without computed fields, its files by their addresses in the trash',
  },
})

const restoredSchema = completeObject({
  restored: {
    type: 'array',
    description: 'Those that came back, the one that was asked for first',
    items: completeObject({ ...record, uuid }),
  },
  left_out: {
    type: 'array',
    description: 'What they referred to and what is gone for good',
    items: completeObject({
      from: completeObject(record),
      field: text,
      id: idRef,
      resource: text,
    }),
  },
  same_name: {
    type: 'array',
    description: 'Terms whose name others of their vocabulary have too',
    items: completeObject({ ...record, others: { type: 'array', items: schemaRef<WireReference>('Reference') } }),
  },
})

const endedSchema = completeObject({ ended: { type: 'integer', description: 'How many records ended for good' } })

const uuidParameter: Schema = { name: 'uuid', in: 'path', required: true, schema: uuid }

const pages = {
  parameters: [
    parameterRef('page'),
    parameterRef('limit'),
    inQuery('type', 'Of one type only', resourceSchema),
    ifNoneMatch,
  ],
  responses: {
    '200': answer(
      'A page of the trash, what was removed last first',
      'json',
      listSchema(schemaRef('TrashEntry'), { extension: '.json', formats: 'json', word: 'Json' }),
    ),
    '304': unchanged,
    '404': responseRef('NotFound'),
    ...refusedOften,
  },
}

const one = {
  parameters: [ifNoneMatch],
  responses: {
    '200': answer('It, with the record as it was', 'json', schemaRef('TrashedRecord')),
    '304': unchanged,
    '404': responseRef('NotFound'),
    ...refusedOften,
  },
}

const ended: Schema = { ...answer('How many', 'json', schemaRef('Ended')), headers: writeHeaders }

export const trashDescription: DoorDescription = {
  paths: {
    '/trash.json': {
      get: operation({ id: 'listTrashJson', summary: 'List what was removed', tag: 'trash', ...pages }),
    },
    '/trash': {
      get: operation({ id: 'listTrash', summary: 'List what was removed', tag: 'trash', ...pages }),
      delete: operation({
        id: 'emptyTrash',
        summary: 'End all that lies in the trash for good, for managers',
        tag: 'trash',
        parameters: [
          inQuery('older_than', 'Only what was removed so many days ago', {
            type: 'integer',
            minimum: 0,
            maximum: mostTrashDays,
          }),
          dryRun,
        ],
        responses: { '200': ended, ...refusedOften },
      }),
    },
    '/trash/{uuid}.json': {
      parameters: [uuidParameter],
      get: operation({ id: 'readTrashedJson', summary: 'Look at a record that was removed', tag: 'trash', ...one }),
    },
    '/trash/{uuid}': {
      parameters: [uuidParameter],
      get: operation({ id: 'readTrashed', summary: 'Look at a record that was removed', tag: 'trash', ...one }),
      delete: operation({
        id: 'endTrashed',
        summary: 'End a removed record for good, for managers',
        tag: 'trash',
        parameters: [ifMatch, ...writeParameters],
        responses: { '200': ended, '404': responseRef('NotFound'), ...refusedOften },
      }),
    },
    '/trash/{uuid}/restore': {
      parameters: [uuidParameter],
      post: operation({
        id: 'restoreTrashed',
        summary: 'Bring a removed record back as it was',
        tag: 'trash',
        parameters: [
          inQuery('with', 'Also what it refers to and lies in the trash too', { type: 'string', enum: ['referents'] }),
          inQuery('drop', 'Leave out what it refers to and is gone for good', { type: 'string', enum: ['missing'] }),
          ifMatch,
          ...writeParameters,
        ],
        responses: {
          '200': { ...answer('What came back', 'json', schemaRef('Restored')), headers: writeHeaders },
          '404': responseRef('NotFound'),
          '409': responseRef('NotRestorable'),
          ...refusedOften,
        },
      }),
    },
    '/trash/{uuid}/files/{id}': {
      parameters: [uuidParameter, idParameter],
      get: operation({
        id: 'downloadTrashedFile',
        summary: 'Download a file of a removed record',
        tag: 'trash',
        parameters: [ifNoneMatch],
        responses: {
          '200': answerAs('Its bytes; known harmless types under their own name', '*/*', {}),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    },
  },
  schemas: {
    TrashEntry: entrySchema,
    TrashFile: fileSchema,
    TrashedRecord: trashedSchema,
    Restored: restoredSchema,
    Ended: endedSchema,
  },
}

/** A record in the trash: type, author, removal, end of retention, and files. */
export const entryDocument = (base: string, { uuid, removal, ends, files, ...entry }: TrashEntry): TrashDocument => ({
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
    uri: addressInTrash(base, uuid, id),
  })),
})

const addressInTrash = (base: string, uuid: string, file: number): string => `${base}/trash/${uuid}/files/${file}`

interface TrashContext {
  readonly installation: Records
  readonly base: string
}

/** The same with the record itself: files by their addresses in the trash, terms by their current names. */
export async function documentInTrash(
  snapshot: Snapshot,
  entry: TrashedRecordView,
  { installation, base }: TrashContext,
): Promise<DocumentOf<typeof trashedSchema>> {
  const { record, uuid } = entry
  const fields = fieldsOfBundle(installation.farm.records[record.type], record.bundle)
  const terms = namedIn(fields, record.values).flatMap(({ to, id }) => (to === 'term' ? [id] : []))
  const names = await termNames(snapshot, [...new Set(terms)])
  const speller = {
    base,
    nameOf: (term: number) => names.get(term) ?? '',
    textOfFile: (file: number) => addressInTrash(base, uuid, file),
  }
  return { ...entryDocument(base, entry), record: documentOf(record, installation, speller) }
}

/** The restored record, what was left out, and terms that share their name with another. */
export const restoredDocument = (
  base: string,
  { records, dropped, namesakes }: RestoreResult,
): DocumentOf<typeof restoredSchema> => ({
  restored: records.map((record) => ({ ...namedReference(base, record), uuid: record.uuid })),
  left_out: dropped.map(({ of, field, to, id }) => ({
    from: namedReference(base, of),
    field,
    id: String(id),
    resource: to === 'file' ? 'file' : resourceNames[to satisfies ReferableType],
  })),
  same_name: namesakes.map(({ term, others }) => ({
    ...namedReference(base, term),
    others: others.map((id) => plainReference(base, 'term', id)),
  })),
})

const namedReference = (base: string, record: StoredRecord) => ({
  ...plainReference(base, record.type, record.id),
  name: nameOf(record) ?? '',
})

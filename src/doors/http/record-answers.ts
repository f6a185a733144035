import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../farm/farm.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { farmState } from '../../storage/farm-state.ts'
import { atPresent } from '../../storage/history/point-in-time.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { type AnswerFormat, listIn, textIn, type WireListPage, type WireRoot } from '../../wire-1x/answer-format.ts'
import { type Extras, extrasOfOne } from '../../wire-1x/list-query.ts'
import { documentsOf } from '../../wire-1x/record-documents.ts'
import { freshTemplates } from '../../wire-1x/record-template.ts'
import { baseAddressOf } from './base-address.ts'
import { deliver, type ReadyAnswer, tagOfRecord, withEtag } from './etags.ts'
import type { WriteAnswer } from './idempotency.ts'
import { formatOfAnswer, formatOfRead } from './negotiation.ts'

export function sendOne(request: FastifyRequest, reply: FastifyReply, one: WireRoot): FastifyReply {
  if (isRead(request)) return deliver(reply, withEtag(request, answerWith(formatOfRead(request), one)))
  const { headers, body } = answerWith(formatOfAnswer(request), one)
  return reply.headers(headers).send(body)
}

const isRead = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD'

export const answerWith = (format: AnswerFormat, one: WireRoot): ReadyAnswer => ready(format, textIn(format, one))

export const answerWithList = (format: AnswerFormat, page: WireListPage): ReadyAnswer =>
  ready(format, listIn(format, page))

const ready = (format: AnswerFormat, body: string | Buffer): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': `application/${format}; charset=utf-8` },
  body,
})

interface RecordsOfType {
  readonly installation: Records
  readonly type: RecordTypeName
}

/** As for a read, but an answer that is kept for a repetition names its files by their addresses: photos are kept once. */
export function extrasOfAnswer({ installation, type }: RecordsOfType, request: FastifyRequest): Extras {
  const asked = extrasOfOne(installation.farm.records[type], readQuery(request.url))
  return request.headers['idempotency-key'] === undefined ? asked : { ...asked, files: 'link' }
}

/** A write answers with the record in the usual form of a read, as it stands at the end of the transaction. */
export async function writtenRecord(
  { installation, type }: RecordsOfType,
  request: FastifyRequest,
  { work, record, extras }: { readonly work: WriteContext; readonly record: StoredRecord; readonly extras: Extras },
): Promise<WriteAnswer> {
  const time = atPresent(installation.clock())
  const viewing = { type, base: baseAddressOf(request, installation), extras }
  const templates = freshTemplates(installation, record)
  const documents = await documentsOf(work.tx, [record.id], { installation, templates, viewing, time })
  const version = {
    state: await farmState(work.tx, type, time),
    catalogue: installation.catalogue,
    format: formatOfAnswer(request),
  }
  const tag = tagOfRecord(record.revision, version)
  return { status: 200, headers: { etag: tag }, json: String(documents.get(record.id)) }
}

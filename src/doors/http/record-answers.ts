import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../farm/farm.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import { isMatch, matchForm, revisionsNamed, versionOf } from '../../records/writing/draft.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { atPresent, type FarmState, stateOfWrite } from '../../storage/farm-state.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { version } from '../../version.ts'
import { type Extras, extrasOfOne } from '../../wire-1x/list-query.ts'
import { documentsOf } from '../../wire-1x/record-documents.ts'
import { freshTemplates } from '../../wire-1x/record-template.ts'
import { type AnswerFormat, listIn, textIn, type WireListPage, type WireRoot } from '../../wire-1x/spelling.ts'
import type { WriteAnswer } from './idempotency.ts'
import { formatOfAnswer, formatOfRead } from './negotiation.ts'
import { baseAddressOf } from './origin.ts'

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

/** As for a read, but an answer stored for repetition has addresses of files: photos are stored once. */
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
    state: await stateOfWrite(work.tx, type, { edition: installation.edition, set: work.set, time }),
    catalogue: installation.catalogue,
    format: formatOfAnswer(request),
  }
  const tag = tagOfRecord(record.revision, version)
  return { status: 200, headers: { etag: tag }, json: String(documents.get(record.id)) }
}

/** The state of an answer: the version of the farm, the catalogue and the format. */
export interface AnswerVersion {
  readonly state: FarmState
  readonly catalogue: string
  readonly format: AnswerFormat
  /** The second of the past that was asked for; at present none. */
  readonly asOf?: number | undefined
}

/** The tag of a list: nothing on the farm has changed as long as the state has not. */
export const tagOfList = (shown: AnswerVersion): string => `"${spelled(shown)}"`

/** The tag of a record begins with its version, which is all that a conditional change compares. */
export const tagOfRecord = (revision: number, shown: AnswerVersion): string =>
  `"${versionOf(revision, shown.state.edition)}.${beyondEdition(shown)}"`

const spelled = (shown: AnswerVersion): string => `${shown.state.edition}.${beyondEdition(shown)}`

const beyondEdition = ({ state, catalogue, format, asOf }: AnswerVersion): string => {
  const past = asOf === undefined ? '' : `.${asOf}`
  return `${catalogue}.${format}.${release}.${shortened(state.changes)}${past}`
}

/** The next release may spell the same records in other words. A conditional change does not mind. */
const release = version.replaceAll('.', '-')

const shortened = (changes: string): string =>
  /^[\d-]+$/.test(changes) ? changes : createHash('sha256').update(changes).digest('base64url').slice(0, 16)

/** The tag of what has no revision: another for other bytes. */
export const tagOfBytes = (bytes: string | Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url')}"`

export function isNotModified(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}

/** The revisions that the sender of a change has seen, where that matters. Asked within the transaction, which knows the edition. */
export function seenBy(request: FastifyRequest, edition: string): { readonly seen?: readonly number[] } {
  const seen = revisionsSeen(request, edition)
  return seen === undefined ? {} : { seen }
}

/**
 * The revisions that an If-Match names; undefined where there is none, or any will do. With `If-None-Match: *` none will:
 * what is there is not to be touched (RFC 9110, section 13.1.2).
 */
function revisionsSeen(request: FastifyRequest, edition: string): readonly number[] | undefined {
  if (request.headers['if-none-match']?.trim() === '*') return []
  const match = request.headers['if-match']
  if (match === undefined) return undefined
  if (isMatch(match)) return revisionsNamed(match, edition)
  throw new Refusal('bad-request', `If-Match takes ${matchForm}.`)
}

/** An answer that only has to be sent. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** The answer under a tag of its bytes; whoever has those already is told so, and spared them. */
export function withEtag(request: FastifyRequest, answer: ReadyAnswer): ReadyAnswer {
  const etag = tagOfBytes(answer.body)
  if (isNotModified(request, etag)) return { status: 304, headers: { etag }, body: '' }
  return { ...answer, headers: { ...answer.headers, etag } }
}

/** A 304 has no headers about its body: a cache would apply them to its copy (RFC 9111, 4.3.4). */
export const deliver = (reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body)

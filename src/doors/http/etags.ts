import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMatch, matchForm, revisionsNamed, versionOf } from '../../records/writing/if-match.ts'
import { Refusal } from '../../refusal.ts'
import type { FarmState } from '../../storage/farm-state.ts'
import { version } from '../../version.ts'
import type { AnswerFormat } from '../../wire-1x/answer-format.ts'

/** What an answer shows: the farm in that state, as this catalogue describes it, in that format. */
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

/** Whether the caller already has what carries this tag. */
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

/** Of an answer that has not changed nothing is told of its body: a cache would take that for the one it keeps (RFC 9111, 4.3.4). */
export const deliver = (reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body)

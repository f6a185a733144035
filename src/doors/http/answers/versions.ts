import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import type { FarmState } from '../../../storage/farm-state.ts'
import { version } from '../../../version.ts'
import type { Format } from '../negotiation.ts'

/** What an answer shows: the farm in that state, as this catalogue describes it, in that format. */
export interface Version {
  readonly state: FarmState
  readonly catalogue: string
  readonly format: Format
  /** The second of the past that was asked for; at present none. */
  readonly asOf?: number | undefined
}

/** What the revisions of records are counted in: another after a restore, and with another catalogue. */
const eraOf = (edition: string, catalogue: string): string => `${edition}-${catalogue}`

/** The tag of a list: nothing on the farm has changed as long as the state has not. */
export const tagOfList = (shown: Version): string => `"${spelled(shown)}"`

/** The tag of a record begins with its own revision, which with the era is all that a conditional change compares. */
export const tagOfRecord = (revision: number, shown: Version): string => `"${revision}.${spelled(shown)}"`

const spelled = ({ state, catalogue, format, asOf }: Version): string => {
  const past = asOf === undefined ? '' : `.${asOf}`
  return `${eraOf(state.edition, catalogue)}.${format}.${release}.${shortened(state.changes)}${past}`
}

/** The next release may spell the same records in other words. A conditional change does not mind. */
const release = version.replaceAll('.', '-')

const shortened = (changes: string): string =>
  /^[\d-]+$/.test(changes) ? changes : createHash('sha256').update(changes).digest('base64url').slice(0, 16)

/** The tag of what has no revision: another for other bytes. */
export const tagOfBytes = (bytes: string | Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url')}"`

/** Whether the caller already has what carries this tag. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}

/** No record ever has it. */
const noRevision = 0

/**
 * The revisions that an If-Match names; undefined where there is none, or any will do. With `If-None-Match: *` none will:
 * what is there is not to be touched (RFC 9110, section 13.1.2).
 */
export function revisionsSeen(request: FastifyRequest, { edition, catalogue }: Records): readonly number[] | undefined {
  if (request.headers['if-none-match']?.trim() === '*') return []
  const match = request.headers['if-match']
  if (match === undefined || match.trim() === '*') return undefined
  return match.split(',').map((tag) => {
    const [, opaque] = /^(?:W\/)?"([^"]*)"$/.exec(tag.trim()) ?? []
    if (opaque === undefined)
      throw new Refusal('bad-request', 'If-Match takes the ETag of a record as it was read, in its quotes, or *.')
    const [, revision, seen] = /^(\d{1,15})\.([\w-]+)\./.exec(opaque) ?? []
    return seen === eraOf(edition, catalogue) ? Number(revision) : noRevision
  })
}

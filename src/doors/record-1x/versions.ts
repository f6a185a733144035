import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Farm } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'

/** A short word for the catalogue: what is shown of a record changes with it. */
export const wordFor = (farm: Farm): string =>
  createHash('sha256').update(JSON.stringify(farm.records)).digest('base64url').slice(0, 6)

/** The tag of a list: nothing on the farm has changed as long as the state has not. */
export const tagOfList = (catalogue: string, state: string): string => `"${catalogue}-${shortened(state)}"`

/** The tag of a record begins with its own revision, which is all that a conditional change compares. */
export const tagOfRecord = (revision: number, catalogue: string, state: string): string =>
  `"${revision}.${catalogue}-${shortened(state)}"`

const shortened = (state: string): string =>
  /^[\d-]+$/.test(state) ? state : createHash('sha256').update(state).digest('base64url').slice(0, 16)

/** Whether the caller already has what carries this tag. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((one) => one.trim().replace(/^W\//, '') === tag)
}

/** The revisions that an If-Match names; undefined where there is none, or any will do. */
export function revisionsSeen(request: FastifyRequest): readonly number[] | undefined {
  const match = request.headers['if-match']
  if (match === undefined || match.trim() === '*') return undefined
  const revisions = match.split(',').map((tag) => /^(?:W\/)?"(\d{1,15})(?:\.[^"]*)?"$/.exec(tag.trim())?.[1])
  if (revisions.every((revision) => revision !== undefined)) return revisions.map(Number)
  throw new Refusal('bad-request', 'If-Match takes the ETag of a record as it was read, or *.')
}

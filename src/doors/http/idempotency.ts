import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { blockedOrRemoved } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import { newUuid } from '../../records/writing/draft.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { type ChangeBeginning, inChange, inChangeSet, type WriteConcurrency } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import { requireEdition } from '../../storage/farm-state.ts'
import { claimKey, keepAnswer, madeSince, termsByName } from '../../storage/kept-answers.ts'
import type { GivenNumbers } from '../../storage/sql/record-numbers.ts'
import { changeEndingOf, dryRunBody, dryRunHeaders, withoutDryRun } from './dry-run.ts'
import { inOrderOfArrival } from './in-flight.ts'
import { formatOfAnswer } from './negotiation.ts'
import { baseAddressOf } from './origin.ts'

/** The answer of a write, before it is formatted. */
export interface WriteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: string
}

interface WriteOptions {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  /** Work that changes many records waits until nobody else changes any: each would soon wait for a record that another holds. */
  readonly beside?: WriteConcurrency
  /** The id of its set of changes, where the caller has chosen one. */
  readonly set?: string | undefined
}

const longestKey = 255

/**
 * Carries a write out in one transaction. With an Idempotency-Key the answer is kept in the same transaction, and a
 * request that comes again is given it and changes nothing: a phone in the field can send until it hears. In a dry run all of that
 * is undone in the end.
 */
export async function carryOut(
  installation: Records,
  { request, reply, caller, beside = 'others', set }: WriteOptions,
  work: (work: WriteContext) => Promise<WriteAnswer>,
): Promise<string> {
  const key = keyOf(request)
  const verify = ({ edition, author }: ChangeBeginning) => {
    requireEdition(installation, edition)
    if (author === undefined) throw blockedOrRemoved()
  }
  const manner = { beside, ending: changeEndingOf(request), author: caller.uid, verify }
  const changing = async (tx: Transaction, before?: GivenNumbers): Promise<WriteAnswer> => {
    const now = installation.clock()
    const given = { id: set ?? newUuid(now), at: now, uid: caller.uid, client: caller.client, request: request.id }
    const carriedOut = () => {
      if (manner.ending === 'kept') refuseWhileOff(installation)
      return inChangeSet(tx, given, async (set) => {
        const answer = await work({ installation, tx, caller, set })
        if (before === undefined) return { ...answer, headers: { 'change-set': set.id, ...answer.headers } }
        const base = baseAddressOf(request, installation)
        const made = await madeSince(tx, before)
        const run = { made, terms: await termsByName(tx, set), set, base }
        return { ...answer, headers: dryRunHeaders(answer.headers, run), json: dryRunBody(answer.json, run) }
      })
    }
    if (key === undefined) return carriedOut()
    const claim = { uid: caller.uid, key, request: fingerprintOf(request), now }
    const earlier = await claimKey(tx, claim)
    if (earlier !== undefined) return answeredBefore(earlier, claim.request)
    const first = await carriedOut()
    await keepAnswer(tx, claim, { status: first.status, headers: JSON.stringify(first.headers), body: first.json })
    return first
  }
  const answer = await inOrderOfArrival(request, () => inChange(installation.database, manner, changing))
  reply.code(answer.status).headers(answer.headers)
  return answer.json
}

/** In a trial beside another farm nothing is recorded until a manager allows it. */
function refuseWhileOff({ trial }: Records): void {
  const beside = trial?.() ?? null
  if (beside === null || beside.recording) return
  throw new Refusal(
    'recording-off',
    `This farm is a trial beside ${beside.address}, and recording is off: record over there. A manager can allow recording in the app, under Import, Move in from farmOS.`,
  )
}

const isReplayed = { 'idempotent-replayed': 'true' }

/** The headers of an answer to what had been done before, by these changes. */
export const repeated = (set: string) => ({ ...isReplayed, 'change-set': set })

interface KeptAnswer {
  readonly request: string
  readonly status: number
  readonly headers: string
  readonly body: string
}

function answeredBefore({ request, status, headers, body }: KeptAnswer, again: string): WriteAnswer {
  if (request === again) return { status, headers: { ...JSON.parse(headers), ...isReplayed }, json: body }
  const message = 'was used for another request in the last 24 hours; take a new key for a new request'
  throw new Refusal('invalid-content', `The Idempotency-Key ${message}.`, {
    faults: [{ field: 'Idempotency-Key', message }],
  })
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= longestKey) return key
  throw new Refusal('bad-request', `An Idempotency-Key has 1 to ${longestKey} characters.`)
}

/** The same method, address, format and bytes are the same request, tried or carried out. */
function fingerprintOf(request: FastifyRequest): string {
  const hash = createHash('sha256').update(
    `${request.method} ${withoutDryRun(request.url)} ${formatOfAnswer(request)}\n`,
  )
  if (request.body instanceof Buffer) hash.update(request.body)
  return hash.digest('base64url')
}

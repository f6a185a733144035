import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { Installation } from '../../../access/installation.ts'
import { inMebibytes } from '../../../fields/byte-size.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { Refusal } from '../../../refusal.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { askWithin } from '../../http/inner-request.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { urlTooLong } from '../../http/problem-details.ts'
import { readTree } from '../body/request-body.ts'
import { mediaType } from '../documents/document.ts'
import { apiRefusalForm } from '../errors.ts'
import { readParameters } from '../query-parameters.ts'
import { inOrder, type RequestPart, readBlueprint } from './blueprint.ts'
import {
  filled,
  type PartAnswer,
  PartAnswers,
  type Token,
  type TokenLocation,
  type TokenValue,
  tokensIn,
} from './tokens.ts'

/** Several requests in one; later ones can use answers of earlier ones. Each has its own transaction. */
export function subrequestRoutes(app: FastifyInstance, installation: Installation): void {
  app.post('/subrequests', async (request, reply) => {
    requireRight(await callerOf(request, installation), 'enter')
    requireJsonAsked(request)
    const parts = inOrder(readBlueprint(readTree(request)))
    const base = baseAddressOf(request, installation)
    const answers = new PartAnswers()
    for (const [at, part] of parts.entries()) {
      const room = limits.subrequests - answers.count - (parts.length - at - 1)
      await askPart(part, { request, installation, base, answers, room })
    }
    return reply.code(207).header('content-type', 'application/json').send(answers.spelled())
  })
}

function requireJsonAsked(request: FastifyRequest): void {
  const format = readParameters(request.url).get('_format') ?? 'json'
  if (format !== 'json') throw badQuery('_format', 'must be json', ['json'])
}

interface PartContext {
  readonly request: FastifyRequest
  readonly installation: Installation
  readonly base: string
  readonly answers: PartAnswers
  /** Maximum number of copies. */
  readonly room: number
}

async function askPart(part: RequestPart, asking: PartContext): Promise<void> {
  const { answers, room } = asking
  try {
    for (const copy of copiesOf(part, (token) => answers.valuesOf(token), room)) {
      answers.add({ id: part.id, contentId: copy.contentId, ...(await answerTo(copy, asking)) })
    }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    answers.add({ id: part.id, contentId: part.id, ...refused(thrown) })
  }
}

type Answer = Pick<PartAnswer, 'status' | 'headers' | 'body'>

async function answerTo(copy: Copy, { request, installation, base, answers }: PartContext): Promise<Answer> {
  const url = addressIn(copy.uri, base)
  if (!isWithin(url)) return refused(new Refusal('not-found', 'Only addresses under /api can be asked together.'))
  if (answers.room <= 0) return refused(noRoom('It was not carried out'))
  if (isRead(copy)) readBudgetOf(request, installation).check()
  const takesBody = !isRead(copy) && copy.method !== 'OPTIONS'
  const body = takesBody ? copy.body : null
  const inner = { method: copy.method, url, headers: headersOf(copy, request), body }
  const { status, headers, body: text } = await askWithin({ request, installation, room: answers.room }, inner)
  return text === null
    ? refused(noRoom('It was carried out, but its answer does not fit'))
    : { status, headers, body: text }
}

const isRead = ({ method }: Copy): boolean => method === 'GET' || method === 'HEAD'

const noRoom = (what: string) =>
  new Refusal(
    'too-large',
    `The answers are more than ${inMebibytes(limits.subanswerBytes)} together. ${what}: ask again by itself.`,
  )

/**
 * The default body type is JSON:API. An idempotency key of the whole becomes one of each part, so that a repeated call
 * acts once.
 */
function headersOf({ headers, body, contentId }: Copy, request: FastifyRequest): Record<string, string> {
  const key = request.headers['idempotency-key']
  return {
    ...(body === null ? {} : { 'content-type': mediaType }),
    ...(typeof key === 'string' ? { 'idempotency-key': keyOfPart(key, contentId) } : {}),
    ...headers,
  }
}

const keyOfPart = (key: string, contentId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key, contentId]))
    .digest('base64url')

function refused(refusal: Refusal): Answer {
  const { status, headers, body } = apiRefusalForm.spell(refusal)
  return { status, headers, body: body.toString() }
}

/**
 * The path and query of a part: accepts absolute addresses and paths without a slash, and encodes forbidden characters.
 */
export function addressIn(uri: string, base: string): string {
  const [plain = ''] = uri.split('#', 1)
  const path = plain.startsWith(base) ? plain.slice(base.length) : plain.replace(/^https?:\/\/[^/?]*/i, '')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
}

/** Parts may only address this interface. */
export const isWithin = (address: string): boolean => /^\/api(?:[/?]|$)/.test(address)

/** A part with its tokens filled. A part whose tokens have several values is sent once for each. */
interface Copy {
  readonly contentId: string
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The values of a token; empty if it stays as it is. */
export type TokenLookup = (token: Token) => readonly unknown[]

/** The copies of a part, one at a time, up to a limit. */
export function* copiesOf(part: RequestPart, valuesOf: TokenLookup, room: number): Generator<Copy> {
  const uris = fillingsIn('uri', part.uri, valuesOf)
  const bodies = fillingsIn('body', part.body ?? '', valuesOf)
  if (countOf(uris) * countOf(bodies) > room) throw tooMany()
  for (const [inUri, one] of pointsIn(uris).entries()) {
    for (const [inBody, other] of pointsIn(bodies).entries()) {
      const ofUri = uris === undefined ? '' : `#uri{${inUri}}`
      const ofBody = bodies === undefined ? '' : `#body{${inBody}}`
      yield {
        ...part,
        contentId: `${part.id}${ofUri}${ofBody}`,
        uri: required(filled('uri', part.uri, { fillings: one, longest: limits.urlBytes }), urlTooLong),
        body: part.body === null ? null : bodyWith(part.body, other),
      }
    }
  }
}

const bodyWith = (body: string, fillings: readonly TokenValue[]): string =>
  required(filled('body', body, { fillings, longest: limits.plainBytes }), bodyTooLong)

/** Values for each token of a text; undefined if it has no tokens. */
type TokenValues = readonly (readonly TokenValue[])[] | undefined

function fillingsIn(location: TokenLocation, text: string, valuesOf: TokenLookup): TokenValues {
  const tokens = tokensIn(location, text)
  if (tokens.length === 0) return undefined
  return tokens
    .map((token) => valuesOf(token).map((value) => ({ token, value })))
    .filter((fillings) => fillings.length > 0)
}

const countOf = (fillings: TokenValues): number => (fillings ?? []).reduce((count, { length }) => count * length, 1)

/** The Cartesian product of the tokens' values. */
const pointsIn = (fillings: TokenValues): readonly (readonly TokenValue[])[] =>
  (fillings ?? []).reduce<readonly (readonly TokenValue[])[]>(
    (points, next) => points.flatMap((point) => next.map((filling) => [...point, filling])),
    [[]],
  )

function required<T>(value: T | undefined, refusal: () => Refusal): T {
  if (value === undefined) throw refusal()
  return value
}

const tooMany = () =>
  new Refusal(
    'too-large',
    `${limits.subrequests} requests may come together, and with what this one asks for it were more.`,
  )

const bodyTooLong = () => new Refusal('too-large', 'With its tokens filled the body is too long.')

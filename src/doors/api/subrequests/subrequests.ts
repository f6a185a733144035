import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { Installation } from '../../../access/installation.ts'
import { inMebibytes } from '../../../fields/byte-size.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { Refusal } from '../../../refusal.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { askWithin } from '../../http/inner-request.ts'
import { limits } from '../../http/limits.ts'
import { apiRefusalForm } from '../errors/errors-document.ts'
import { readTree } from '../intake/body.ts'
import { readParameters } from '../query/parameters.ts'
import { mediaType } from '../wire/top-level.ts'
import { type PartAnswer, PartAnswers } from './answers.ts'
import { inOrder, type Part, readBlueprint } from './blueprint.ts'
import { type Copy, copiesOf } from './copies.ts'
import { addressIn, isWithin } from './part-address.ts'

/** Several requests in one, of which later ones may use what earlier ones were answered with. Each is carried out by itself. */
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

interface Asking {
  readonly request: FastifyRequest
  readonly installation: Installation
  readonly base: string
  readonly answers: PartAnswers
  /** How many copies there may be. */
  readonly room: number
}

async function askPart(part: Part, asking: Asking): Promise<void> {
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

async function answerTo(copy: Copy, { request, installation, base, answers }: Asking): Promise<Answer> {
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

/** A body is JSON:API unless it says otherwise. A key of the whole becomes one of each part: what is sent again is done once. */
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

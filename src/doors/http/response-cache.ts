import type { FastifyReply, FastifyRequest } from 'fastify'
import { kibibyte, mebibyte } from '../../fields/byte-size.ts'
import type { Records } from '../../records/records.ts'
import { authorizationOf, tokenLookupOf } from './caller.ts'
import { baseAddressOf } from './origin.ts'
import { deliver, type ReadyAnswer } from './record-answers.ts'

/** An answer that stays right until that second, unless something is committed. */
export interface LastingAnswer extends ReadyAnswer {
  readonly until: number
  /** The version of the PostgreSQL database that it was read from; SQLite knows its version itself. */
  readonly version?: string
}

interface CachedResponse extends LastingAnswer {
  readonly body: Buffer
  readonly from: number
  readonly uid: number | null
}

interface AnswerRequest {
  readonly key: string
  readonly version: number | string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly work: () => Promise<LastingAnswer>
}

/** More than this is not kept together, and no larger answer: a page is quickly put together from its records. */
const mostBytes = 16 * mebibyte
const largest = 80 * kibibyte

/** About what an answer takes beside its body. */
const keptBeside = 1024

/**
 * A cache of answers. The same request by the same bearer has the same answer until anything is committed by any
 * process (the database's version shows it), a token expires, a log comes due, or the clock goes back. If the version
 * is unknown, nothing is cached.
 */
export class ResponseCache {
  readonly #installation: Records
  readonly #answers = new Map<string, CachedResponse>()
  #version: number | string | undefined
  #bytes = 0

  constructor(installation: Records) {
    this.#installation = installation
  }

  /** Sends at once what is known; only what has to be worked out is worth a promise. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<LastingAnswer>,
  ): FastifyReply | Promise<FastifyReply> {
    const key = this.#keyOf(request)
    if (key === undefined) return work().then((fresh) => deliver(reply, fresh))
    const version = this.#installation.database.version?.()
    if (version !== undefined) return this.#answerIn({ key, version, request, reply, work })
    const lookup = tokenLookupOf(request, this.#installation)
    if (lookup === undefined) return work().then((fresh) => deliver(reply, fresh))
    return lookup.then((found) => this.#answerIn({ key, version: found.version, request, reply, work }))
  }

  #answerIn({ key, version, request, reply, work }: AnswerRequest): FastifyReply | Promise<FastifyReply> {
    this.#keepTo(version)
    const now = this.#installation.clock()
    const kept = this.#answers.get(key)
    if (kept !== undefined && kept.from <= now && now < kept.until) {
      request.uid = kept.uid
      return deliver(reply, kept)
    }
    return work().then((fresh) => {
      // If something was committed meanwhile, the answer may or may not contain it, so it is not cached.
      const isOfVersion = typeof version === 'number' || fresh.version === version
      const isKept = isOfVersion && version === this.#version && now < fresh.until
      return deliver(reply, isKept ? this.#keep(key, { ...fresh, from: now, uid: request.uid }) : fresh)
    })
  }

  /** Only bearers: their header is the whole of their credential. */
  #keyOf(request: FastifyRequest): string | undefined {
    const authorization = authorizationOf(request)
    if (request.method !== 'GET' || authorization === undefined) return undefined
    const base = baseAddressOf(request, this.#installation)
    const { accept = '', 'if-none-match': tag = '' } = request.headers
    return `${authorization}\n${accept}\n${base}\n${request.url}\n${tag}`
  }

  #keepTo(version: number | string): void {
    if (version === this.#version) return
    this.#version = version
    this.#bytes = 0
    this.#answers.clear()
  }

  #keep(key: string, answer: Omit<CachedResponse, 'body'> & ReadyAnswer): ReadyAnswer {
    const { body } = answer
    if (body.length > largest) return answer
    const kept = { ...answer, body: typeof body === 'string' ? Buffer.from(body) : body }
    const bytes = kept.body.length + key.length + keptBeside
    if (kept.body.length > largest || this.#bytes + bytes > mostBytes) return answer
    this.#bytes += bytes
    this.#answers.set(key, kept)
    return kept
  }
}

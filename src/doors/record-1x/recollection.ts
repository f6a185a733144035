import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddressOf } from '../http/base-address.ts'
import { authorizationOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import type { ReadyAnswer } from './answer.ts'
import type { RecordHouse } from './record-house.ts'

/** An answer that stays right until that second, unless something is committed. */
export interface LastingAnswer extends ReadyAnswer {
  readonly until: number
}

interface Kept extends LastingAnswer {
  readonly from: number
  readonly uid: number | null
}

/** More than this is not kept. */
const mostCharacters = 32 * 1_048_576

/**
 * What was answered before. The same question by the same bearer has the same answer as long as nobody, in this process
 * or another, has committed anything (the database's version tells) and the time has neither come to where the token
 * ends or a log's time comes, nor gone back to before the answer was given. Where the version cannot be told at once,
 * nothing is kept.
 */
export class Recollection {
  readonly #house: RecordHouse
  readonly #answers = new Map<string, Kept>()
  #version: number | undefined
  #characters = 0

  constructor(house: RecordHouse) {
    this.#house = house
  }

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<LastingAnswer>,
  ): Promise<FastifyReply> {
    const key = this.#keyOf(request)
    if (key === undefined) return deliver(reply, await work())
    const version = this.#currentVersion()
    const now = this.#house.clock()
    const kept = this.#answers.get(key)
    if (kept !== undefined && kept.from <= now && now < kept.until) {
      request.uid = kept.uid
      return deliver(reply, kept)
    }
    const fresh = await work()
    // What was committed while it was worked out, it may have seen or not: then it is not kept.
    if (version === this.#version && now < fresh.until) this.#keep(key, { ...fresh, from: now, uid: request.uid })
    return deliver(reply, fresh)
  }

  /** Only bearers: their header is the whole of their credential. */
  #keyOf(request: FastifyRequest): string | undefined {
    const authorization = authorizationOf(request)
    if (request.method !== 'GET' || authorization === undefined) return undefined
    if (this.#house.database.version === undefined) return undefined
    const base = baseAddressOf(request, this.#house)
    const tag = request.headers['if-none-match'] ?? ''
    return [authorization, formatOfRead(request), base, request.url, tag].join('\n')
  }

  #currentVersion(): number | undefined {
    const version = this.#house.database.version?.()
    if (version !== this.#version) {
      this.#version = version
      this.#characters = 0
      this.#answers.clear()
    }
    return version
  }

  #keep(key: string, answer: Kept): void {
    if (this.#characters + answer.body.length > mostCharacters) return
    this.#characters += answer.body.length + key.length
    this.#answers.set(key, answer)
  }
}

const deliver = (reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply =>
  reply.code(status).headers(headers).send(body)

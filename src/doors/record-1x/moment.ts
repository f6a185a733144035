import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddressOf } from '../http/base-address.ts'
import { authorizationOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import type { ReadyAnswer } from './answer.ts'
import type { RecordHouse } from './record-house.ts'

/** More than this is not kept of one moment. */
const mostCharacters = 16 * 1_048_576

interface Kept extends ReadyAnswer {
  readonly uid: number | null
}

/**
 * The answers of this very moment: the same question by the same bearer in the same second, while nobody has committed
 * anything, has the same answer. Whatever could change it (another role, a revoked token, a renamed term, another
 * process, the time) changes the database's version or the second, and then nothing here is used again.
 */
export class Moment {
  readonly #house: RecordHouse
  readonly #answers = new Map<string, Kept>()
  #version: number | null = null
  #second = 0
  #characters = 0

  constructor(house: RecordHouse) {
    this.#house = house
  }

  async answer(request: FastifyRequest, reply: FastifyReply, work: () => Promise<ReadyAnswer>): Promise<FastifyReply> {
    const key = this.#keyOf(request)
    if (key === undefined) return deliver(reply, await work())
    this.#move()
    const known = this.#answers.get(key)
    if (known !== undefined) {
      request.uid = known.uid
      return deliver(reply, known)
    }
    const [version, second] = [this.#version, this.#second]
    const fresh = await work()
    // Something may have been committed meanwhile: then the answer is of a later moment than the one it began in.
    if (version === this.#version && second === this.#second) this.#keep(key, { ...fresh, uid: request.uid })
    return deliver(reply, fresh)
  }

  /** Only where the version can be told at once, and only bearers: their header is the whole of their credential. */
  #keyOf(request: FastifyRequest): string | undefined {
    const authorization = authorizationOf(request)
    if (request.method !== 'GET' || authorization === undefined || this.#house.database.version === undefined)
      return undefined
    const base = baseAddressOf(request, this.#house)
    const known = request.headers['if-none-match'] ?? ''
    return [authorization, formatOfRead(request), base, request.url, known].join('\n')
  }

  #move(): void {
    const version = this.#house.database.version?.() ?? null
    const second = this.#house.clock()
    if (version === this.#version && second === this.#second) return
    this.#version = version
    this.#second = second
    this.#characters = 0
    this.#answers.clear()
  }

  #keep(key: string, answer: Kept): void {
    this.#characters += answer.body.length
    if (this.#characters <= mostCharacters) this.#answers.set(key, answer)
  }
}

const deliver = (reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply =>
  reply.code(status).headers(headers).send(body)

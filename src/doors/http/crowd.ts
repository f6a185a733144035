import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { limits } from './limits.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

/**
 * Sends requests away while there are more than can be answered soon: too many under way, too many bytes of bodies on their
 * way, or too long since those that wait on other sockets had their turn. Being sent away costs next to nothing, so that those
 * who were admitted are answered, and /healthz too, however many come.
 */
export class Crowd {
  readonly #clock: () => number
  #underWay = 0
  #bytes = 0
  /** The turn of the event loop in which requests are being read; null: none was read in this one. */
  #turn: { readonly began: number; requests: number } | null = null

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Throws a refusal where there is no place. The admitted leave by what this gives. */
  admit(bodyBytes: number): () => void {
    if (this.#underWay >= limits.requestsUnderWay) throw sentAway('requests are being answered')
    // One body is always admitted, however large.
    if (this.#bytes > 0 && this.#bytes + bodyBytes > limits.bytesUnderWay)
      throw sentAway('large requests are on their way')
    const turn = this.#thisTurn()
    turn.requests += 1
    // A machine that is slow by itself does not make a crowd.
    if (turn.requests > limits.turnRequests && this.#clock() - turn.began > limits.turnMs) {
      throw sentAway('requests have come at once')
    }
    this.#underWay += 1
    this.#bytes += bodyBytes
    return () => {
      this.#underWay -= 1
      this.#bytes -= bodyBytes
    }
  }

  #thisTurn(): { readonly began: number; requests: number } {
    if (this.#turn !== null) return this.#turn
    setImmediate(() => {
      this.#turn = null
    })
    this.#turn = { began: this.#clock(), requests: 0 }
    return this.#turn
  }
}

/** Counts every request in and out. */
export function keepCrowdSmall(app: FastifyInstance, crowd: Crowd = new Crowd()): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    // Every answer is closed in the end, whole or cut off.
    reply.raw.once('close', crowd.admit(bodyBytesOf(request)))
    done()
  })
}

/** A body of unknown length is taken for one without files. */
function bodyBytesOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? 0)
  return headers['transfer-encoding'] === undefined ? length : limits.plainBytes
}

const sentAway = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { limits } from './limits.ts'
import { Turns } from './turns.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

/** Counts who is inside, and has no place for more than can be answered soon. */
export class Crowd {
  #underWay = 0
  #bytes = 0

  /** Why somebody has to be sent away; null: there is a place. */
  noPlaceFor(bodyBytes: number): Refusal | null {
    if (this.#underWay >= limits.requestsUnderWay) return sentAway('requests are being answered')
    // One body is always admitted, however large.
    const isTooMuch = this.#bytes > 0 && this.#bytes + bodyBytes > limits.bytesUnderWay
    return isTooMuch ? sentAway('large requests are on their way') : null
  }

  /** Answers how to leave. */
  enter(bodyBytes: number): () => void {
    this.#underWay += 1
    this.#bytes += bodyBytes
    return () => {
      this.#underWay -= 1
      this.#bytes -= bodyBytes
    }
  }
}

/**
 * Admits requests as long as there is place, and lets each be answered in its turn. Those that are sent away wait for their turn,
 * too: they cost little, but a flood of them, answered at once, would leave no time for the others.
 */
export function keepOrder(app: FastifyInstance): void {
  const crowd = new Crowd()
  const turns = new Turns()
  app.server.on('connection', () => turns.noteConnection())
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    const bytes = bodyBytesOf(request)
    const refusal = crowd.noPlaceFor(bytes)
    // Every answer is closed in the end, whole or cut off.
    if (refusal === null) reply.raw.once('close', crowd.enter(bytes))
    turns.take(() => {
      if (!reply.raw.destroyed) done(refusal ?? undefined)
    })
  })
}

/** A body of unknown length is taken for one without files. */
function bodyBytesOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? 0)
  return headers['transfer-encoding'] === undefined ? length : limits.plainBytes
}

const sentAway = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

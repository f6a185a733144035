import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { limits } from './limits.ts'
import { Turns } from './turns.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

/**
 * Sends requests away while there are more than can be answered soon: too many under way, or too many bytes of bodies. Being sent
 * away costs next to nothing, so that those who were admitted are answered however many come.
 */
export class Crowd {
  #underWay = 0
  #bytes = 0

  /** Throws a refusal where there is no place. The admitted leave by what this gives. */
  admit(bodyBytes: number): () => void {
    if (this.#underWay >= limits.requestsUnderWay) throw sentAway('requests are being answered')
    // One body is always admitted, however large.
    const isTooMuch = this.#bytes > 0 && this.#bytes + bodyBytes > limits.bytesUnderWay
    if (isTooMuch) throw sentAway('large requests are on their way')
    this.#underWay += 1
    this.#bytes += bodyBytes
    return () => {
      this.#underWay -= 1
      this.#bytes -= bodyBytes
    }
  }
}

/** Admits requests as long as there is place, and lets them be answered in their turn. */
export function keepOrder(app: FastifyInstance): void {
  const crowd = new Crowd()
  const turns = new Turns()
  app.server.on('connection', () => turns.noteConnection())
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    // Every answer is closed in the end, whole or cut off.
    reply.raw.once('close', crowd.admit(bodyBytesOf(request)))
    turns.take(() => {
      if (!reply.raw.destroyed) done()
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

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { limits } from './limits.ts'
import { Turns } from './turns.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

/** What keeping a piece costs beside its bytes, about: a body in pieces of one byte takes hundreds of times its length. */
const PIECE_BYTES = 512

type Room = Readonly<Record<'requestsUnderWay' | 'bytesUnderWay' | 'smallBytes', number>>

/** Counts who is inside, and has no place for more than can be answered soon. */
export class Crowd {
  readonly #room: Room
  #underWay = 0
  #bytes = 0

  constructor(room: Room = limits) {
    this.#room = room
  }

  /** Why somebody has to be sent away; null: there is a place. */
  refusalAtTheDoor(): Refusal | null {
    return this.#underWay < this.#room.requestsUnderWay ? null : sentAway('requests are being answered')
  }

  /** Answers how to leave. */
  enter(): () => void {
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
    }
  }

  /** Counts a body by what has arrived of it: anybody can announce much and send nothing. */
  expectBody(): ArrivingBody {
    const { smallBytes, bytesUnderWay } = this.#room
    let arrived = 0
    let held = 0
    const letGo = () => {
      this.#bytes -= held
      held = 0
    }
    const take = (bytes: number) => {
      arrived += bytes + PIECE_BYTES
      if (arrived <= smallBytes) return null
      const more = arrived - held
      if (this.#bytes + more > bytesUnderWay) {
        letGo()
        return sentAway('large requests are on their way')
      }
      this.#bytes += more
      held = arrived
      return null
    }
    return { take, letGo }
  }
}

/** A body of which piece after piece comes in. */
interface ArrivingBody {
  /** Why the next piece, of so many bytes, cannot be kept; null: there is a place for it. */
  readonly take: (bytes: number) => Refusal | null
  readonly letGo: () => void
}

/**
 * Admits requests as long as there is place, and lets each be answered in its turn. Those that are sent away wait for their turn,
 * too: they cost little, but a flood of them, answered at once, would leave no time for the others.
 */
export function keepOrder(app: FastifyInstance, crowd = new Crowd()): void {
  const turns = new Turns()
  app.server.on('connection', () => turns.noteConnection())
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    const refusal = crowd.refusalAtTheDoor()
    // Every answer is closed in the end, whole or cut off.
    if (refusal === null) reply.raw.once('close', crowd.enter())
    turns.take(() => {
      if (!reply.raw.destroyed) done(refusal ?? undefined)
    })
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!mayBeLarge(request) || reply.raw.destroyed) return done(null, payload)
    const body = crowd.expectBody()
    const counted = countedBy(body, payload)
    reply.raw.once('close', () => {
      counted.destroy()
      body.letGo()
    })
    done(null, counted)
  })
}

/** Hands on what arrives until there is no place for it; the rest is read and dropped. */
function countedBy(body: ArrivingBody, payload: Readable): Readable {
  const counted = new Readable({ read: () => {} })
  // A body may fail after its reader has turned away, and an error nobody listens to ends the process.
  counted.on('error', () => {})
  payload.on('data', (piece: Buffer) => {
    if (counted.destroyed) return
    const refusal = body.take(piece.length)
    if (refusal === null) counted.push(piece)
    else counted.destroy(refusal)
  })
  payload.on('end', () => counted.push(null))
  payload.on('error', (error) => counted.destroy(error))
  return counted
}

/** A body that says it is small cannot become larger than it says; nobody reads the body of a GET. */
function mayBeLarge({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.smallBytes
}

const sentAway = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { networkOf } from '../../access/login.ts'
import { limits } from '../../limits.ts'
import type { Refusal } from '../../refusal.ts'
import { ArrivingBodies, type ArrivingBody, type Capacity, type Sender, tooMany } from './arriving-bodies.ts'
import { clientAddressOf } from './base-address.ts'
import { FairQueue } from './fair-queue.ts'
import { noteWrite, whileInFlight } from './in-flight.ts'
import { isInner } from './inner-request.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

type AdmissionCapacity = Capacity & Readonly<Record<'requestsUnderWay', number>>

/** Counts who is inside, and has no place for more than can be answered soon. */
export class Admission {
  readonly #capacity: AdmissionCapacity
  readonly #bodies: ArrivingBodies
  #underWay = 0

  constructor(capacity: AdmissionCapacity = limits, clock: () => number = () => performance.now()) {
    this.#capacity = capacity
    this.#bodies = new ArrivingBodies(capacity, clock)
  }

  /** Why somebody has to be sent away; null: there is a place, or somebody who dawdles has left theirs. */
  refusalAtTheDoor(): Refusal | null {
    if (this.#underWay < this.#capacity.requestsUnderWay || this.#bodies.dropSlowest()) return null
    return tooMany('requests are being answered')
  }

  /** Answers how to leave. */
  enter(): () => void {
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
    }
  }

  expectBody(sender: Sender): ArrivingBody {
    return this.#bodies.expect(sender)
  }
}

/**
 * Admits requests as long as there is place, and lets each be answered in its turn. Those that are sent away wait for their turn,
 * too: they cost little, but a flood of them, answered at once, would leave no time for the others.
 */
export function keepOrder(app: FastifyInstance, installation: Installation, admission = new Admission()): void {
  const turns = new FairQueue()
  app.server.on('connection', () => turns.noteConnection())
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    const refusal = isInner(request) ? null : admission.refusalAtTheDoor()
    if (refusal === null && !isInner(request)) whileInFlight(reply, admission.enter())
    if (refusal === null) noteWrite(request, reply)
    turns.take(() => {
      if (!reply.raw.destroyed) done(refusal ?? undefined)
    })
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!mayTakeLong(request) || reply.raw.destroyed) return done(null, payload)
    const counted = new Readable({ read: () => {} })
    const body = admission.expectBody({
      network: networkOf(clientAddressOf(request, installation)),
      sendAway: (refusal) => counted.destroy(refusal),
    })
    handOn(payload, counted, body)
    reply.raw.once('close', () => {
      counted.destroy()
      body.letGo()
    })
    done(null, counted)
  })
}

/** Hands on what arrives until there is no place for it; the rest is read and dropped. */
function handOn(payload: Readable, counted: Readable, body: ArrivingBody): void {
  // A body may fail after its reader has turned away, and an error nobody listens to ends the process.
  counted.on('error', () => {})
  payload.on('data', (piece: Buffer) => {
    if (counted.destroyed) return
    const refusal = body.take(piece.length)
    if (refusal === null) counted.push(piece)
    else counted.destroy(refusal)
  })
  payload.on('end', () => {
    body.isWhole()
    counted.push(null)
  })
  payload.on('error', (error) => counted.destroy(error))
}

/** A body that says it is small cannot become larger than it says, and most have come as a whole; nobody reads the body of a GET. */
function mayTakeLong({ method, headers, raw }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return false
  return !raw.complete || Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > limits.smallBytes
}

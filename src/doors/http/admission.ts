import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { networkOf } from '../../access/login.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'
import { noteWrite, whileInFlight } from './in-flight.ts'
import { clientAddressOf } from './origin.ts'

/** Asked by those who watch over the server, and above all when it has too much to do. */
const alwaysAdmitted = new Set(['/healthz', '/readyz'])

const innerSockets = new WeakSet<object>()

/** Requests on this socket are parts of another request, which has its place already. */
export const markInner = (socket: object): void => {
  innerSockets.add(socket)
}

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

  /** The refusal of a new request; null if there is room, or a slow sender gave way. */
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
export function admitInTurn(app: FastifyInstance, installation: Installation, admission = new Admission()): void {
  const turns = new FairQueue()
  app.server.on('connection', () => turns.noteConnection())
  app.addHook('onRequest', (request, reply, done) => {
    if (alwaysAdmitted.has(request.routeOptions.url ?? '')) return done()
    const isInner = innerSockets.has(request.socket)
    const refusal = isInner ? null : admission.refusalAtTheDoor()
    if (refusal === null && !isInner) whileInFlight(reply, admission.enter())
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

/**
 * Approximate overhead of a piece beside its bytes: a body in pieces of one byte takes hundreds of times its length.
 */
const PIECE_BYTES = 512

/** A body of which piece after piece comes in. */
interface ArrivingBody {
  /** The refusal of the next piece; null if there is room. */
  readonly take: (bytes: number) => Refusal | null
  /** The body is complete: from here on its sender does not delay it. */
  readonly isWhole: () => void
  readonly letGo: () => void
}

interface Sender {
  readonly network: string
  /** Called when the body has to give way to others. */
  readonly sendAway: (refusal: Refusal) => void
}

/** One body, and how it comes. */
interface Upload extends Sender {
  arrived: number
  held: number
  /** Bytes received since the start of the interval. */
  stretch: number
  since: number
}

type Capacity = Readonly<Record<'bytesUnderWay' | 'smallBytes' | 'briskBytes' | 'briskMs', number>>

/** Counts bodies by what has arrived of them: anybody can announce much and send nothing. */
class ArrivingBodies {
  readonly #capacity: Capacity
  readonly #clock: () => number
  readonly #arriving = new Set<Upload>()
  readonly #held = new Map<string, number>()
  #bytes = 0

  constructor(capacity: Capacity, clock: () => number) {
    this.#capacity = capacity
    this.#clock = clock
  }

  expect(sender: Sender): ArrivingBody {
    const upload = { ...sender, arrived: 0, held: 0, stretch: 0, since: this.#clock() }
    this.#arriving.add(upload)
    return {
      take: (bytes) => this.#take(upload, bytes + PIECE_BYTES),
      isWhole: () => this.#arriving.delete(upload),
      letGo: () => this.#letGo(upload),
    }
  }

  /** Sends away the body that has been slow for the longest time; false: all come briskly. */
  dropSlowest(mayGo: (upload: Upload) => boolean = () => true): boolean {
    let slowest: Upload | undefined
    for (const upload of this.#arriving) {
      if (mayGo(upload) && (slowest === undefined || upload.since < slowest.since)) slowest = upload
    }
    if (slowest === undefined || this.#clock() - slowest.since <= this.#capacity.briskMs) return false
    this.#letGo(slowest)
    slowest.sendAway(tooMany('requests are on their way, and this one comes too slowly'))
    return true
  }

  #take(upload: Upload, bytes: number): Refusal | null {
    upload.arrived += bytes
    upload.stretch += bytes
    if (upload.stretch >= this.#capacity.briskBytes) {
      upload.stretch = 0
      upload.since = this.#clock()
    }
    if (upload.arrived <= this.#capacity.smallBytes) return null
    const more = upload.arrived - upload.held
    if (!this.#hasShareFor(upload, more) || !this.#hasRoomFor(upload, more)) {
      this.#letGo(upload)
      return tooMany('large requests are on their way')
    }
    this.#hold(upload, more)
    return null
  }

  /** Nobody alone may take more than half, or a single sender could keep everybody else's photos out. */
  #hasShareFor(upload: Upload, more: number): boolean {
    const { network } = upload
    const isTooMuch = () => (this.#held.get(network) ?? 0) + more > this.#capacity.bytesUnderWay / 2
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== upload && other.network === network)
  }

  #hasRoomFor(upload: Upload, more: number): boolean {
    const isTooMuch = () => this.#bytes + more > this.#capacity.bytesUnderWay
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== upload)
  }

  #makeRoom(isTooMuch: () => boolean, mayGo: (upload: Upload) => boolean): boolean {
    while (isTooMuch()) {
      if (!this.dropSlowest((upload) => upload.held > 0 && mayGo(upload))) return false
    }
    return true
  }

  #hold(upload: Upload, more: number): void {
    upload.held += more
    this.#bytes += more
    this.#held.set(upload.network, (this.#held.get(upload.network) ?? 0) + more)
  }

  #letGo(upload: Upload): void {
    this.#arriving.delete(upload)
    const left = (this.#held.get(upload.network) ?? 0) - upload.held
    if (left > 0) this.#held.set(upload.network, left)
    else this.#held.delete(upload.network)
    this.#bytes -= upload.held
    upload.held = 0
  }
}

const tooMany = (what: string) =>
  new Refusal('busy', `The farm is busy: too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

/** Turns in a row that may only accept new connections. */
const mostForArrivals = 20

/**
 * Lets requests be answered in the order of their arrival, a few in each turn of the event loop. Node accepts one new connection
 * in a turn: were all that has come answered at once, turns would be long, and whoever knocks while the server is busy would wait
 * for seconds. So a turn ends after a few milliseconds, and nearly at once while others are being let in.
 */
export class FairQueue {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  #turn: { readonly until: number } | null = null
  #someoneCame = false
  #forArrivals = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** There may be more where this one came from. */
  noteConnection(): void {
    this.#someoneCame = true
  }

  /** Begins to answer when its turn has come. */
  take(answer: () => void): void {
    this.#waiting.push(answer)
    // One look for each: what one begins is done, as far as it can be, before the next look.
    setImmediate(this.#look)
  }

  readonly #look = (): void => {
    const now = this.#clock()
    this.#turn ??= this.#beginTurn(now)
    if (now < this.#turn.until) this.#waiting.shift()?.()
    else setImmediate(this.#look)
  }

  #beginTurn(now: number): { readonly until: number } {
    // The first of the next turn.
    setImmediate(() => {
      this.#turn = null
    })
    this.#forArrivals = this.#someoneCame ? this.#forArrivals + 1 : 0
    this.#someoneCame = false
    const isForArrivals = this.#forArrivals % mostForArrivals > 0
    return { until: isForArrivals ? now : now + limits.turnMs }
  }
}

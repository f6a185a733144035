import { Refusal } from '../../refusal.ts'

/** What keeping a piece costs beside its bytes, about: a body in pieces of one byte takes hundreds of times its length. */
const PIECE_BYTES = 512

/** A body of which piece after piece comes in. */
export interface ArrivingBody {
  /** Why the next piece, of so many bytes, cannot be kept; null: there is a place for it. */
  readonly take: (bytes: number) => Refusal | null
  /** Nothing is missing: who sent it has no more part in how long it stays. */
  readonly isWhole: () => void
  readonly letGo: () => void
}

export interface Sender {
  readonly network: string
  /** Called when the body has to give way to others. */
  readonly sendAway: (refusal: Refusal) => void
}

/** One body, and how it comes. */
interface Arrival extends Sender {
  arrived: number
  held: number
  /** How much has come since when. */
  stretch: number
  since: number
}

export type Capacity = Readonly<Record<'bytesUnderWay' | 'smallBytes' | 'briskBytes' | 'briskMs', number>>

/** Counts bodies by what has arrived of them: anybody can announce much and send nothing. */
export class ArrivingBodies {
  readonly #capacity: Capacity
  readonly #clock: () => number
  readonly #arriving = new Set<Arrival>()
  readonly #held = new Map<string, number>()
  #bytes = 0

  constructor(capacity: Capacity, clock: () => number) {
    this.#capacity = capacity
    this.#clock = clock
  }

  expect(sender: Sender): ArrivingBody {
    const arrival = { ...sender, arrived: 0, held: 0, stretch: 0, since: this.#clock() }
    this.#arriving.add(arrival)
    return {
      take: (bytes) => this.#take(arrival, bytes + PIECE_BYTES),
      isWhole: () => this.#arriving.delete(arrival),
      letGo: () => this.#letGo(arrival),
    }
  }

  /** Sends away the body that has been slow for the longest time; false: all come briskly. */
  dropSlowest(mayGo: (arrival: Arrival) => boolean = () => true): boolean {
    let slowest: Arrival | undefined
    for (const arrival of this.#arriving) {
      if (mayGo(arrival) && (slowest === undefined || arrival.since < slowest.since)) slowest = arrival
    }
    if (slowest === undefined || this.#clock() - slowest.since <= this.#capacity.briskMs) return false
    this.#letGo(slowest)
    slowest.sendAway(tooMany('requests are on their way, and this one comes too slowly'))
    return true
  }

  #take(arrival: Arrival, bytes: number): Refusal | null {
    arrival.arrived += bytes
    arrival.stretch += bytes
    if (arrival.stretch >= this.#capacity.briskBytes) {
      arrival.stretch = 0
      arrival.since = this.#clock()
    }
    if (arrival.arrived <= this.#capacity.smallBytes) return null
    const more = arrival.arrived - arrival.held
    if (!this.#hasShareFor(arrival, more) || !this.#hasRoomFor(arrival, more)) {
      this.#letGo(arrival)
      return tooMany('large requests are on their way')
    }
    this.#hold(arrival, more)
    return null
  }

  /** Nobody alone may take more than half, or a single sender could keep everybody else's photos out. */
  #hasShareFor(arrival: Arrival, more: number): boolean {
    const { network } = arrival
    const isTooMuch = () => (this.#held.get(network) ?? 0) + more > this.#capacity.bytesUnderWay / 2
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== arrival && other.network === network)
  }

  #hasRoomFor(arrival: Arrival, more: number): boolean {
    const isTooMuch = () => this.#bytes + more > this.#capacity.bytesUnderWay
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== arrival)
  }

  #makeRoom(isTooMuch: () => boolean, mayGo: (arrival: Arrival) => boolean): boolean {
    while (isTooMuch()) {
      if (!this.dropSlowest((arrival) => arrival.held > 0 && mayGo(arrival))) return false
    }
    return true
  }

  #hold(arrival: Arrival, more: number): void {
    arrival.held += more
    this.#bytes += more
    this.#held.set(arrival.network, (this.#held.get(arrival.network) ?? 0) + more)
  }

  #letGo(arrival: Arrival): void {
    this.#arriving.delete(arrival)
    const left = (this.#held.get(arrival.network) ?? 0) - arrival.held
    if (left > 0) this.#held.set(arrival.network, left)
    else this.#held.delete(arrival.network)
    this.#bytes -= arrival.held
    arrival.held = 0
  }
}

export const tooMany = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

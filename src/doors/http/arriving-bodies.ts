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

interface Place extends Sender {
  arrived: number
  held: number
  /** How much has come since when. */
  stretch: number
  since: number
}

type Room = Readonly<Record<'bytesUnderWay' | 'smallBytes' | 'briskBytes' | 'briskMs', number>>

/** Counts bodies by what has arrived of them: anybody can announce much and send nothing. */
export class ArrivingBodies {
  readonly #room: Room
  readonly #clock: () => number
  readonly #arriving = new Set<Place>()
  readonly #held = new Map<string, number>()
  #bytes = 0

  constructor(room: Room, clock: () => number) {
    this.#room = room
    this.#clock = clock
  }

  expect(sender: Sender): ArrivingBody {
    const place = { ...sender, arrived: 0, held: 0, stretch: 0, since: this.#clock() }
    this.#arriving.add(place)
    return {
      take: (bytes) => this.#take(place, bytes + PIECE_BYTES),
      isWhole: () => this.#arriving.delete(place),
      letGo: () => this.#letGo(place),
    }
  }

  /** Sends away the body that has been slow for the longest time; false: all come briskly. */
  dropSlowest(mayGo: (place: Place) => boolean = () => true): boolean {
    let slowest: Place | undefined
    for (const place of this.#arriving) {
      if (mayGo(place) && (slowest === undefined || place.since < slowest.since)) slowest = place
    }
    if (slowest === undefined || this.#clock() - slowest.since <= this.#room.briskMs) return false
    this.#letGo(slowest)
    slowest.sendAway(tooMany('requests are on their way, and this one comes too slowly'))
    return true
  }

  #take(place: Place, bytes: number): Refusal | null {
    place.arrived += bytes
    place.stretch += bytes
    if (place.stretch >= this.#room.briskBytes) {
      place.stretch = 0
      place.since = this.#clock()
    }
    if (place.arrived <= this.#room.smallBytes) return null
    const more = place.arrived - place.held
    if (!this.#hasShareFor(place, more) || !this.#hasRoomFor(place, more)) {
      this.#letGo(place)
      return tooMany('large requests are on their way')
    }
    this.#hold(place, more)
    return null
  }

  /** Nobody alone may take more than half, or a single sender could keep everybody else's photos out. */
  #hasShareFor(place: Place, more: number): boolean {
    const { network } = place
    const isTooMuch = () => (this.#held.get(network) ?? 0) + more > this.#room.bytesUnderWay / 2
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== place && other.network === network)
  }

  #hasRoomFor(place: Place, more: number): boolean {
    const isTooMuch = () => this.#bytes + more > this.#room.bytesUnderWay
    return !isTooMuch() || this.#makeRoom(isTooMuch, (other) => other !== place)
  }

  #makeRoom(isTooMuch: () => boolean, mayGo: (place: Place) => boolean): boolean {
    while (isTooMuch()) {
      if (!this.dropSlowest((place) => place.held > 0 && mayGo(place))) return false
    }
    return true
  }

  #hold(place: Place, more: number): void {
    place.held += more
    this.#bytes += more
    this.#held.set(place.network, (this.#held.get(place.network) ?? 0) + more)
  }

  #letGo(place: Place): void {
    this.#arriving.delete(place)
    const left = (this.#held.get(place.network) ?? 0) - place.held
    if (left > 0) this.#held.set(place.network, left)
    else this.#held.delete(place.network)
    this.#bytes -= place.held
    place.held = 0
  }
}

export const tooMany = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

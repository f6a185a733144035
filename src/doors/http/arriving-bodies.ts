import { Refusal } from '../../refusal.ts'

/** What it costs to keep a piece beside its bytes, about: a body in pieces of one byte takes hundreds of times its length. */
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
interface Upload extends Sender {
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

export const tooMany = (what: string) =>
  new Refusal('busy', `Too many ${what}. Try again in a moment.`, { retryAfterSeconds: 1 })

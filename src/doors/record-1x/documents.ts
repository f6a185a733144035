import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading } from '../../storage/database.ts'
import type { RecordHouse } from './record-house.ts'
import { Templates } from './templates.ts'
import { documentsOf, type Viewing } from './viewing.ts'

/** More than this is not kept of one type of records, and no larger document: those are photos and coastlines. */
const mostBytes = 8 * 1_048_576
const largest = 64 * 1024
const mostViews = 8

type ById = ReadonlyMap<number, Buffer>

/** What was shown of one type of records while the farm was in one state: under each way of viewing, by id. */
interface Memory {
  readonly state: string
  readonly views: Map<string, Map<number, Buffer>>
  bytes: number
}

interface Moment {
  readonly viewing: Viewing
  readonly now: number
  /** The state of the farm, as the snapshot says that is read from. */
  readonly state: string
}

/**
 * The documents of records. What was shown before is shown again for as long as the snapshot that is read from says that
 * the farm is in the same state: then no record can read differently, whoever changes what, and where.
 */
export class Documents {
  readonly #house: RecordHouse
  readonly #templates: Templates
  readonly #memories = new Map<RecordTypeName, Memory>()

  constructor(house: RecordHouse) {
    this.#house = house
    this.#templates = new Templates(house)
  }

  /** Those of these records that exist, in that order. */
  async of(rows: Reading, ids: readonly number[], moment: Moment): Promise<readonly Buffer[]> {
    const known = this.#knownIn(moment)
    const missing = ids.filter((id) => !known.has(id))
    if (missing.length === 0) return picked(ids, known)
    const made = await documentsOf(rows, missing, { ...moment, house: this.#house, templates: this.#templates })
    const shown = picked(ids, known, made)
    for (const [id, json] of made) this.#keep(id, json, moment)
    return shown
  }

  #keep(id: number, json: Buffer, moment: Moment): void {
    if (json.length > largest) return
    const memory = this.#memoryOf(moment)
    if (memory.bytes > mostBytes) this.#memories.delete(moment.viewing.type)
    memory.bytes += json.length
    this.#knownIn(moment).set(id, json)
  }

  #knownIn(moment: Moment): Map<number, Buffer> {
    const { base, extras } = moment.viewing
    const { views } = this.#memoryOf(moment)
    const view = `${base} ${extras.files} ${extras.with.join()}`
    const known = views.get(view)
    if (known !== undefined) return known
    if (views.size >= mostViews) views.clear()
    const none = new Map<number, Buffer>()
    views.set(view, none)
    return none
  }

  #memoryOf({ viewing: { type }, state }: Moment): Memory {
    const memory = this.#memories.get(type)
    if (memory?.state === state) return memory
    const empty = { state, views: new Map(), bytes: 0 }
    this.#memories.set(type, empty)
    return empty
  }
}

function picked(ids: readonly number[], known: ById, made: ById = known): Buffer[] {
  const documents: Buffer[] = []
  for (const id of ids) {
    const json = known.get(id) ?? made.get(id)
    if (json !== undefined) documents.push(json)
  }
  return documents
}

import { freeBytes } from '../../storage/doctor/data-directory.ts'
import { readsWell, writesWell } from '../../storage/doctor/pulse.ts'
import type { House } from '../http/house.ts'

const mebibyte = 1024 * 1024

/** One body may be as large. */
const leastFreeBytes = 32 * mebibyte
const patienceMilliseconds = 2_000
const freshMilliseconds = 1_000

/** Whether this server should be sent requests, and if not, why. */
export class Readiness {
  readonly #house: House
  /** Something failed since the last write that went well. */
  #suspicious = false
  #judged: { readonly at: number; readonly problems: Promise<readonly string[]> } | undefined

  constructor(house: House) {
    this.#house = house
  }

  /** An answer of 500 or more may be the first sign of a disk that is full or failing: the next judgement tries a write. */
  noteFailure(): void {
    this.#suspicious = true
  }

  /** What is wrong, in the words of an operator. However often it is asked, it looks once a second. */
  problems(): Promise<readonly string[]> {
    const now = performance.now()
    if (this.#judged === undefined || now - this.#judged.at > freshMilliseconds) {
      this.#judged = { at: now, problems: this.#judge() }
    }
    return this.#judged.problems
  }

  async #judge(): Promise<readonly string[]> {
    const checks = [this.#disk(), this.#database()]
    return (await Promise.all(checks)).filter((problem) => problem !== null)
  }

  /** With PostgreSQL the disk that matters is not ours. */
  async #disk(): Promise<string | null> {
    const { data, database } = this.#house.settings
    if (database !== null) return null
    try {
      const free = await freeBytes(data)
      return free < leastFreeBytes ? `disk: only ${Math.floor(free / mebibyte)} MiB are free` : null
    } catch {
      return 'disk: the data directory cannot be looked at'
    }
  }

  async #database(): Promise<string | null> {
    const { database } = this.#house
    if (!(await inTime(database.read(readsWell)))) return 'database: it cannot be read'
    if (!this.#suspicious) return null
    if (!(await inTime(database.write(writesWell)))) return 'database: it cannot be written'
    this.#suspicious = false
    return null
  }
}

async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMilliseconds)
  })
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

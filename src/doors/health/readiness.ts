import type { Installation } from '../../access/installation.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { Refusal } from '../../refusal.ts'
import { freeBytes, readsWell, writesWell } from '../../storage/doctor/engine-soundness.ts'
import { codeOf } from '../../storage/sql/errors.ts'

const patienceMilliseconds = 2_000
const freshMilliseconds = 1_000

export interface ReadinessProblem {
  /** In words for an operator. */
  readonly what: string
  /** An unexpected error: a bug. */
  readonly bug?: unknown
  /** The cause of a refusal. */
  readonly trouble?: unknown
}

/** Decides if this server should get requests, and reports why not. */
export class Readiness {
  readonly #installation: Installation
  /** Something failed since the last successful write. */
  #suspicious = false
  #judged: { readonly at: number; readonly problems: Promise<readonly ReadinessProblem[]> } | undefined

  constructor(installation: Installation) {
    this.#installation = installation
  }

  /** An answer of 500 or more may be the first sign of a disk that is full or failing: the next judgement tries a write. */
  noteFailure(): void {
    this.#suspicious = true
  }

  /** However often it is asked, it looks once a second. */
  problems(): Promise<readonly ReadinessProblem[]> {
    const now = performance.now()
    if (this.#judged === undefined || now - this.#judged.at > freshMilliseconds) {
      this.#judged = { at: now, problems: this.#judge() }
    }
    return this.#judged.problems
  }

  async #judge(): Promise<readonly ReadinessProblem[]> {
    const checks = [this.#disk(), this.#database()]
    return (await Promise.all(checks)).filter((problem) => problem !== null)
  }

  /** With PostgreSQL, the disk of this machine does not matter. */
  async #disk(): Promise<ReadinessProblem | null> {
    const { data, database, bodyMebibytes } = this.#installation.settings
    if (database !== null) return null
    try {
      const free = await freeBytes(data)
      // One body may be as large.
      if (free >= bodyMebibytes * mebibyte) return null
      return { what: `disk: only ${Math.floor(free / mebibyte)} MiB are free` }
    } catch (error) {
      return { what: `disk: the data directory cannot be looked at (${codeOf(error)})` }
    }
  }

  async #database(): Promise<ReadinessProblem | null> {
    const { database } = this.#installation
    const unread = await trouble(database.read(readsWell))
    if (unread) return problem('database: it cannot be read', unread)
    if (!this.#suspicious) return null
    const unwritten = await trouble(database.write(writesWell))
    if (unwritten) return problem('database: it cannot be written', unwritten)
    this.#suspicious = false
    return null
  }
}

/** A database that is away, busy or full is a state of the farm and no bug. */
const problem = (what: string, thrown: unknown): ReadinessProblem =>
  thrown instanceof Refusal ? { what, trouble: thrown.cause } : { what, bug: thrown }

/** The error; null if the work finished in time. */
async function trouble(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Refusal>((resolve) => {
    timer = setTimeout(() => resolve(new Refusal('busy', 'The database takes too long.')), patienceMilliseconds)
  })
  const done = work.then(
    () => null,
    (error: unknown) => error,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

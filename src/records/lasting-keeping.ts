import { AnotherEdition } from '../storage/edition.ts'
import { type Installed, type Keeping, openKeeping } from './keeping.ts'

/**
 * The keeping of whichever farm is there: what it knows of one edition is known anew when work finds another, and the work is
 * done again. So it may be kept for as long as a server runs, beside which a farm can be restored on PostgreSQL.
 */
export async function openLastingKeeping<G extends Installed>(ground: G): Promise<G & Keeping> {
  let known = await openKeeping(ground)
  let renewal: Promise<void> | undefined
  const renew = async () => {
    try {
      known = await openKeeping(ground)
    } finally {
      renewal = undefined
    }
  }
  const inThisEdition = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AnotherEdition)) throw error
      renewal ??= renew()
      await renewal
      return work()
    }
  }
  const { database } = ground
  return {
    ...ground,
    database: {
      ...database,
      read: (work) => inThisEdition(() => database.read(work)),
      ask: (question) => inThisEdition(() => database.ask(question)),
      write: (work) => inThisEdition(() => database.write(work)),
    },
    get edition() {
      return known.edition
    },
    get vocabularies() {
      return known.vocabularies
    },
  }
}

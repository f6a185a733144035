import type { Installation } from '../access/installation.ts'
import { AnotherEdition } from '../storage/edition.ts'
import { openRecords, type Records } from './records.ts'

/**
 * The records of whichever farm is there: what is known of one edition is known anew when work finds another, and the work is
 * done again. So it may be kept for as long as a server runs, beside which a farm can be restored on PostgreSQL.
 */
export async function openLastingRecords(installation: Installation): Promise<Records> {
  let known = await openRecords(installation)
  let renewal: Promise<void> | undefined
  const renew = async () => {
    try {
      known = await openRecords(installation)
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
  const { database } = installation
  return {
    ...known,
    database: {
      ...database,
      read: (work, budget) => inThisEdition(() => database.read(work, budget)),
      ask: (question) => inThisEdition(() => database.ask(question)),
      write: (work) => inThisEdition(() => database.write(work)),
      dryRun: (work) => inThisEdition(() => database.dryRun(work)),
    },
    get edition() {
      return known.edition
    },
    get vocabularies() {
      return known.vocabularies
    },
  }
}

import { inChange } from './changes.ts'
import type { Database } from './database.ts'
import { onItsOwn } from './sql/savepoint.ts'

/** For work that makes several changes: each is a part of one transaction, which is undone in the end. */
export const inDryRun = <T>(database: Database, work: (dry: Database) => Promise<T>): Promise<T> =>
  inChange(database, { beside: 'nobody', ending: 'undone' }, (tx) =>
    work({
      engine: tx.engine,
      read: (reading) => reading(tx),
      ask: (question) => question(tx),
      write: (change) => onItsOwn(tx, () => change(tx)),
      dryRun: () => Promise.reject(new Error('This is a dry run already')),
      close: async () => {},
    }),
  )

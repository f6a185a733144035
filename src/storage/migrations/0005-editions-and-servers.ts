import { newEdition } from '../farm-state.ts'
import type { Migration } from './ddl.ts'

/** Every farm is made by its migrations, also one that comes from a backup: so each has an edition of its own. */
export const editionsAndServers: Migration = {
  version: 5,
  name: 'editions-and-servers',
  async up(ddl) {
    await ddl.table('edition', { value: 'key' }, { primary: ['value'] })
    await ddl.run(`INSERT INTO edition VALUES ('${newEdition()}')`)
    await ddl.table(
      'server',
      { id: 'key', host: 'text', pid: 'integer', began: 'integer', seen: 'integer' },
      { primary: ['id'] },
    )
  },
}

import type { Migration } from './ddl.ts'

/** When the password of a session was last shown: for a while after it, the session may administer. */
export const confirmedSessions: Migration = {
  version: 13,
  name: 'confirmed-sessions',
  async up(ddl) {
    await ddl.column('session', 'confirmed', 'integer?')
  },
}

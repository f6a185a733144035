import type { Migration } from './ddl.ts'

/** The time of the last password confirmation: for a while after it, the session may administer. */
export const confirmedSessions: Migration = {
  version: 13,
  name: 'confirmed-sessions',
  async up(ddl) {
    await ddl.column('session', 'confirmed', 'integer?')
  },
}

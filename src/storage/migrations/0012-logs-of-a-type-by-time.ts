import type { Migration } from './ddl.ts'

/** An index for reports: done logs of a type within a period. */
export const logsOfATypeByTime: Migration = {
  version: 12,
  name: 'logs of a type by time',
  async up(ddl) {
    await ddl.index('log', 'bundle', 'status', 'timestamp', 'id')
  },
}

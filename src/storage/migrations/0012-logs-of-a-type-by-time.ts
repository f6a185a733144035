import type { Migration } from './ddl.ts'

/** What reports count: the logs of a type that are done, within a time, whatever else there is. */
export const logsOfATypeByTime: Migration = {
  version: 12,
  name: 'logs of a type by time',
  async up(ddl) {
    await ddl.index('log', 'bundle', 'status', 'timestamp', 'id')
  },
}

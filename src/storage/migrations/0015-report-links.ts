import type { Migration } from './ddl.ts'

/** Reports that are shown to people without an account, as they were when they were made. */
export const reportLinks: Migration = {
  version: 15,
  name: 'report-links',
  async up(ddl) {
    await ddl.table(
      'report_link',
      {
        id: 'key',
        hash: 'key',
        uid: 'integer',
        report: 'key',
        first_day: 'key',
        last_day: 'key',
        with_people: 'integer',
        created: 'integer',
        expires: 'integer',
        checksum: 'key',
        document: 'text',
        logs: 'text',
        log_count: 'integer',
      },
      { primary: ['id'], unique: ['hash'] },
    )
    await ddl.index('report_link', 'expires')
  },
}

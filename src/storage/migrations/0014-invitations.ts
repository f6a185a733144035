import type { Migration } from './ddl.ts'

/** Links by which somebody gets an account or a new password, and who did what an event tells of. */
export const invitations: Migration = {
  version: 14,
  name: 'invitations',
  async up(ddl) {
    await ddl.table(
      'invitation',
      {
        id: 'id',
        hash: 'key',
        kind: 'key',
        name: 'text',
        role: 'key?',
        uid: 'integer?',
        password_mark: 'key?',
        made_by: 'integer?',
        created: 'integer',
        expires: 'integer',
      },
      { unique: ['hash'] },
    )
    await ddl.index('invitation', 'expires')
    await ddl.index('invitation', 'made_by')
    await ddl.index('invitation', 'uid')
    await ddl.column('access_event', 'actor', 'integer?')
  },
}

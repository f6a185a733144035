import type { Migration } from './ddl.ts'

/** What a person prefers, which grant began a family of tokens, and clients that never said how `expires_in` is to be written. */
export const accountsAndGrants: Migration = {
  version: 8,
  name: 'accounts-and-grants',
  async up(ddl) {
    await ddl.column('account', 'timezone', 'key?')
    await ddl.column('token_family', 'grant_type', 'key?')
    await ddl.run("UPDATE client SET expires_in = 'by-scope' WHERE expires_in = 'string'")
  },
}

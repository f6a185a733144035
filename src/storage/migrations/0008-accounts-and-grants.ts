import type { Migration } from './ddl.ts'

/** Preferences of people, the grant of a token family, and clients without a form of `expires_in`. */
export const accountsAndGrants: Migration = {
  version: 8,
  name: 'accounts-and-grants',
  async up(ddl) {
    await ddl.column('account', 'timezone', 'key?')
    await ddl.column('token_family', 'grant_type', 'key?')
    await ddl.run("UPDATE client SET expires_in = 'by-scope' WHERE expires_in = 'string'")
  },
}

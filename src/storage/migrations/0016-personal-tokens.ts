import type { Migration } from './ddl.ts'

/** Tokens that people make for their own scripts have a name. */
export const personalTokens: Migration = {
  version: 16,
  name: 'personal-tokens',
  async up(ddl) {
    await ddl.column('token_family', 'label', 'text?')
  },
}

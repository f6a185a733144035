import { createRequire } from 'node:module'
import type { hash as Hash, verify as Verify } from '@node-rs/argon2'

const library = createRequire(import.meta.url)('@node-rs/argon2') as { hash: typeof Hash; verify: typeof Verify }

/**
 * The real library with hashes of the least strength: a hash says its own strength, so `verify` is as quick. The test runs
 * have it instead of the library, in their own process only: `test/cli/accounts.test.ts` looks at the strength that the program uses.
 */
export const hash: typeof Hash = (password, options) =>
  library.hash(password, { ...options, memoryCost: 8, timeCost: 1, parallelism: 1 })

export const { verify } = library

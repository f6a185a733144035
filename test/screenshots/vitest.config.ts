import { defineConfig } from 'vitest/config'
import { root } from '../house/tree.ts'

/** Not among the tests: it looks at nothing by itself, and keeps what people are to look at. */
export default defineConfig({
  root,
  test: {
    include: ['test/screenshots/take.ts'],
    globalSetup: ['variables', 'app', 'browser', 'sqlite'].map((name) => `test/harness/${name}-for-the-run.ts`),
    setupFiles: ['test/harness/clean-up.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    name: 'rooms',
  },
})

import { defineConfig } from 'vitest/config'
import { rounds } from './test/harness/rounds.ts'

const spec = [
  'test/spec/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/in-and-out/**/*.test.ts',
  'test/web/**/*.test.ts',
  'test/reports/**/*.test.ts',
]
const house = ['test/house/**/*.test.ts']

const everywhere = {
  pool: 'threads' as const,
  isolate: false,
  // Ends a test that hangs; how fast anything is belongs to an assertion. A busy machine takes several times as long.
  testTimeout: rounds({ short: 300_000, long: 600_000 }),
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['test/harness/clean-up.ts'],
}

const rooms = { include: ['test/**/*.test.ts'], exclude: [...spec, ...house] }

export default defineConfig({
  test: {
    // Once per run, for all projects: what a project extends it would run again.
    globalSetup: [
      'test/harness/variables-for-the-run.ts',
      'test/harness/memory-for-the-run.ts',
      'test/harness/documentation-for-the-run.ts',
      'test/harness/app-for-the-run.ts',
      'test/harness/browser-for-the-run.ts',
      'test/harness/postgres-for-the-run.ts',
      'test/harness/sqlite-for-the-run.ts',
    ],
    // Many tests wait for processes and databases: more of them at once than there are cores.
    maxWorkers: 4,
    reporters: ['default', './test/harness/engine-count.ts', './test/harness/failed-files.ts'],
    projects: [
      { test: { ...everywhere, name: 'sqlite', include: spec, provide: { engine: 'sqlite' as const } } },
      { test: { ...everywhere, name: 'postgres', include: spec, provide: { engine: 'postgres' as const } } },
      { test: { ...everywhere, name: 'rooms', ...rooms } },
      { test: { ...everywhere, name: 'house', include: house } },
    ],
  },
})

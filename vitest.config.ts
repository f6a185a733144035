import { defineConfig } from 'vitest/config'
import { compiledSource } from './test/harness/compiled-source.ts'
import { type ProjectName, partOf, testFilesOf } from './test/harness/parts.ts'
import { rounds } from './test/harness/rounds.ts'

const part = partOf(process.env.TEST_PART)

const everywhere = {
  pool: 'threads' as const,
  isolate: false,
  // Ends a test that hangs; how fast anything is belongs to an assertion. A busy machine takes several times as long.
  testTimeout: rounds({ short: 300_000, long: 600_000 }),
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: ['test/harness/clean-up.ts'],
}

const plugins = [await compiledSource()]

const projectOf = (name: ProjectName, provide = {}) => ({
  plugins,
  test: { ...everywhere, name, include: testFilesOf(name, part), provide },
})

const projects = [
  projectOf('sqlite', { engine: 'sqlite' as const }),
  projectOf('postgres', { engine: 'postgres' as const }),
  projectOf('rooms'),
  projectOf('house'),
]

export default defineConfig({
  plugins,
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
    reporters: ['default', './test/harness/run-report.ts'],
    projects: projects.filter(({ test }) => test.include.length > 0),
  },
})

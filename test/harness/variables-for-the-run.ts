import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What FURROW_CHROMIUM says: the browser to be used. */
    chromium: string | undefined
    /** What FURROW_SCREENSHOTS says: the folder that pictures of the pages are put into. */
    screenshots: string | undefined
  }
}

/** Two variables are the tests' own. The program gets neither, nor any setting of a farm that is set where the tests are run. */
export default function setUp(root: TestProject): void {
  root.provide('chromium', process.env.FURROW_CHROMIUM || undefined)
  root.provide('screenshots', process.env.FURROW_SCREENSHOTS || undefined)
  for (const name of Object.keys(process.env)) if (name.startsWith('FURROW_')) delete process.env[name]
}

import { makeApp } from '../../build/web.mjs'
import { root } from '../house/tree.ts'

/** A farm that runs from its source serves the app as it is now, whenever it was built last. */
export default async function setUp(): Promise<void> {
  if (process.env.TEST_NEEDS_FARM === 'no') return
  await makeApp(`${root}/dist`)
}

import { makeDocumentation } from '../../build/documentation.mjs'
import { root } from '../house/tree.ts'

/** A farm that runs from its source serves the pages as they are now, whenever the program was built last. */
export default async function setUp(): Promise<void> {
  if (process.env.TEST_NEEDS_FARM === 'no') return
  await makeDocumentation(`${root}/dist`)
}

/** Writes many records in both formats and compares what they read back as: npm run xml-pairs -- --pairs 100000 --seed 7 */
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
  },
})

process.env.XML_PAIRS = values.pairs
process.env.XML_SEED = values.seed
const vitest = await startVitest('test', ['test/spec/1-xml-pairs.test.ts'], { run: true, project: [values.engine] })
await vitest.close()

import { expect, it } from 'vitest'
import { rounds } from '../harness/rounds.ts'
import { slice } from './slice.ts'

/** Only the whole campaign judges how quick it is: here other tests run beside it. */
const patience = ['--tolerance', '100']

it('far too many requests are answered or sent away, and /healthz goes on', async () => {
  const size = rounds({
    short: ['--seconds', '6', '--logs', '1000', '--connections', '60'],
    long: ['--seconds', '30', '--logs', '20000', '--connections', '200'],
  })
  const { code, text } = await slice('load', '--only', 'overload', ...size, '--seed', '31', ...patience)
  expect(text).toMatch(/^load: overload requests\/s .*violations 0/m)
  expect(code, text).toBe(0)
})

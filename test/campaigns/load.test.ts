import { expect, it } from 'vitest'
import { slice } from './slice.ts'

/** For a machine that runs other tests beside this one; the whole campaign judges how quick it is. */
const patience = ['--tolerance', '5']

it('far too many requests are answered or sent away, and /healthz goes on', async () => {
  const options = ['--only', 'overload', '--seconds', '9', '--logs', '2000', '--connections', '60', '--seed', '31']
  const { code, text } = await slice('load', ...options, ...patience)
  expect(text).toMatch(/^load: overload requests\/s .*violations 0/m)
  expect(code, text).toBe(0)
})

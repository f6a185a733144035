import { expect, it } from 'vitest'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { slice } from './slice.ts'

it.each(atLeastOn('sqlite'))(
  'generated requests of everybody break nothing on %s, and those who may not write change nothing',
  async (engine) => {
    const options = [
      '--only',
      'generated',
      '--engines',
      engine,
      '--seconds',
      rounds({ short: '3', long: '30' }),
      '--seed',
      '21',
    ]
    const { code, text } = await slice('fuzz', ...options)
    expect(text).toMatch(new RegExp(`^fuzz: ${engine} generated \\d+, ${engine} raw \\d+, .*violations 0`, 'm'))
    expect(code, text).toBe(0)
  },
)

it.each(atLeastOn('postgres'))('the farm answers on %s as a simple model of it does', async (engine) => {
  const options = [
    '--only',
    'model',
    '--engines',
    engine,
    '--seconds',
    rounds({ short: '3', long: '30' }),
    '--seed',
    '22',
  ]
  const { code, text } = await slice('fuzz', ...options)
  expect(text).toMatch(
    new RegExp(`^fuzz: ${engine} model operations \\d+, ${engine} comparisons \\d+, violations 0`, 'm'),
  )
  expect(code, text).toBe(0)
})

it('SQLite and PostgreSQL answer the same requests the same', async () => {
  const { code, text } = await slice(
    'fuzz',
    '--only',
    'alike',
    '--seconds',
    rounds({ short: '1', long: '60' }),
    '--seed',
    '23',
  )
  expect(text).toMatch(/^fuzz: alike [1-9]\d*, violations 0/m)
  expect(code, text).toBe(0)
})

it('an engine that nobody knows is refused with those that there are', async () => {
  const { code, text } = await slice('fuzz', '--engines', 'sqlite,oracle')
  expect(text).toBe('fuzz: there is no engine "oracle": choose from sqlite, postgres.\n')
  expect(code).toBe(2)
})

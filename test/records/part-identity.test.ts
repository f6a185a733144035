import { expect, it } from 'vitest'
import { withIdentities } from '../../src/records/writing/resolve.ts'

const before = [
  { uuid: 'a', label: 'A' },
  { uuid: 'b', label: 'B', value: '1' },
  { uuid: 'c', label: 'C' },
]
const identities = (parts: readonly Record<string, string>[]) =>
  withIdentities(parts, before).map(({ uuid }) => (uuid.length === 1 ? uuid : 'new'))

it.each([
  ['all as they were', [{ label: 'A' }, { label: 'B', value: '1' }, { label: 'C' }], ['a', 'b', 'c']],
  ['the first is gone', [{ label: 'B', value: '1' }, { label: 'C' }], ['b', 'c']],
  ['they changed places', [{ label: 'C' }, { label: 'A' }, { label: 'B', value: '1' }], ['c', 'a', 'b']],
  ['one changed', [{ label: 'A' }, { label: 'B', value: '2' }, { label: 'C' }], ['a', 'b', 'c']],
  [
    'one came in between',
    [{ label: 'A' }, { label: 'N' }, { label: 'B', value: '1' }, { label: 'C' }],
    ['a', 'new', 'b', 'c'],
  ],
  ['twins', [{ label: 'A' }, { label: 'A' }], ['a', 'b']],
  ['none', [], []],
])('parts keep their identity: %s', (_what, parts, expected) => {
  expect(identities(parts as Record<string, string>[])).toEqual(expected)
})

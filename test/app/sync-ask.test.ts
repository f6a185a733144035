import { expect, test } from 'vitest'
import { nameOf } from '../../web/sync/ask.ts'

test('only the server itself says that somebody may not read, nobody on the way', () => {
  expect(nameOf(403, 'urn:furrow:refusal:unauthenticated')).toBe('unauthenticated')
  expect(nameOf(403, 'urn:furrow:refusal:forbidden')).toBe('forbidden')
  expect(nameOf(401, '')).toBe('offline')
  expect(nameOf(403, 'about:blank')).toBe('offline')
})

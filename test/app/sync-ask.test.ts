import { expect, test } from 'vitest'
import { failureName } from '../../web/sync/request.ts'

test('only the server itself can revoke reading, not a proxy', () => {
  expect(failureName(403, 'urn:furrow:refusal:unauthenticated')).toBe('unauthenticated')
  expect(failureName(403, 'urn:furrow:refusal:forbidden')).toBe('forbidden')
  expect(failureName(401, '')).toBe('offline')
  expect(failureName(403, 'about:blank')).toBe('offline')
})

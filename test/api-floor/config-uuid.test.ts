import { expect, test } from 'vitest'
import { configUuid } from '../../src/doors/api/documents/identifiers.ts'

test('a word of the catalogue has the same UUID on every farm, and each its own', () => {
  const harvest = configUuid('log_type--log_type', 'harvest')
  expect(harvest).toBe('06d5c19b-1961-59b2-8512-283d202aa1c9')
  expect(harvest).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(configUuid('log_type--log_type', 'input')).not.toBe(harvest)
  expect(configUuid('flag--flag', 'harvest')).not.toBe(harvest)
})

import { describe, expect, test } from 'vitest'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { fieldsUsedIn, orderOf } from '../../web/forms/form-fields.ts'

const fields: CatalogueFields = {
  id: { label: 'Log ID', kind: 'whole', read_only: true },
  type: { label: 'Type', kind: 'text', required: true },
  timestamp: { label: 'Timestamp', kind: 'timestamp', required: true },
  vet: { label: 'Vet', kind: 'text' },
  name: { label: 'Name', kind: 'text', required: true },
  location: { label: 'Location', kind: 'reference', computed: 'location', many: true },
  data: { label: 'Data', kind: 'long-text' },
  notes: { label: 'Notes', kind: 'rich-text' },
  done: { label: 'Done', kind: 'yes-no' },
  brood_frames: { label: 'Frames with brood', kind: 'whole' },
  asset: { label: 'Animals', kind: 'reference', required: true, many: true },
}

describe('the order of fields', () => {
  test('is required fields, then fields this farm uses, then the rest', () => {
    expect(orderOf(fields, new Set(['brood_frames', 'vet']))).toEqual({
      first: ['name', 'timestamp', 'asset', 'vet', 'brood_frames'],
      more: ['done', 'notes', 'data'],
    })
  })

  test('omits read-only and computed fields, and the type', () => {
    const { first, more } = orderOf(fields, new Set())
    for (const name of ['id', 'type', 'location']) expect([...first, ...more]).not.toContain(name)
  })

  test('contains every other field once', () => {
    const { first, more } = orderOf(fields, new Set(['notes', 'nothing']))
    const asked = Object.keys(fields).filter((name) => !['id', 'type', 'location'].includes(name))
    expect([...first, ...more].sort()).toEqual(asked.sort())
  })

  test('begins with the usual fields on a farm without such records', () => {
    expect(orderOf(fields, new Set()).first).toEqual(['name', 'timestamp', 'asset', 'done', 'notes'])
  })

  test('folds technical fields away, however often they are used', () => {
    expect(orderOf(fields, new Set(['data'])).more).toContain('data')
  })
})

test('a field counts as used if a record has a value in it; "no" is none', () => {
  const used = fieldsUsedIn([
    { fields: { notes: { value: 'Wet' }, done: '0' } },
    { fields: { queen_seen: false, vet: 'Dr. Moo' } },
  ])
  expect([...used].sort()).toEqual(['notes', 'vet'])
})

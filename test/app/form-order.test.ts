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
  test('is what is required, then what this farm uses, then the rest', () => {
    expect(orderOf(fields, new Set(['brood_frames', 'vet']))).toEqual({
      first: ['name', 'timestamp', 'asset', 'vet', 'brood_frames'],
      more: ['done', 'notes', 'data'],
    })
  })

  test('asks for nothing that the farm sets or works out, nor for the type that was chosen before', () => {
    const { first, more } = orderOf(fields, new Set())
    for (const name of ['id', 'type', 'location']) expect([...first, ...more]).not.toContain(name)
  })

  test('has every other field once', () => {
    const { first, more } = orderOf(fields, new Set(['notes', 'nothing']))
    const asked = Object.keys(fields).filter((name) => !['id', 'type', 'location'].includes(name))
    expect([...first, ...more].sort()).toEqual(asked.sort())
  })

  test('begins with what is usual where a farm has no such record yet', () => {
    expect(orderOf(fields, new Set()).first).toEqual(['name', 'timestamp', 'asset', 'done', 'notes'])
  })

  test('keeps what is for programs behind a tap, however often it is used', () => {
    expect(orderOf(fields, new Set(['data'])).more).toContain('data')
  })
})

test('a field is used where some record says something in it: a no is nothing', () => {
  const used = fieldsUsedIn([
    { fields: { notes: { value: 'Wet' }, done: '0' } },
    { fields: { queen_seen: false, vet: 'Dr. Moo' } },
  ])
  expect([...used].sort()).toEqual(['notes', 'vet'])
})

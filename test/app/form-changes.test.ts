import './english-words.ts'
import { describe, expect, test } from 'vitest'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { richTextWith } from '../../web/forms/field-value.ts'
import { valuesAtFirst } from '../../web/forms/form-fields.ts'
import { formResult } from '../../web/forms/form-result.ts'
import type { LocalRecord } from '../../web/store/record.ts'

const fields: CatalogueFields = {
  id: { label: 'Log ID', kind: 'whole', read_only: true },
  name: { label: 'Name', kind: 'text', required: true },
  done: { label: 'Done', kind: 'yes-no' },
  wet: { label: 'Wet', kind: 'yes-no' },
  timestamp: { label: 'Timestamp', kind: 'timestamp', required: true },
  asset: { label: 'Assets', kind: 'reference', many: true, to: 'farm_asset' },
  notes: { label: 'Notes', kind: 'rich-text' },
  system: { label: 'System', kind: 'choice', list: 'gone' },
  season: { label: 'Season', kind: 'period' },
  images: { label: 'Photos', kind: 'attachment', many: true, accepts: 'image' },
  tag: {
    label: 'Tags',
    kind: 'part',
    many: true,
    fields: { id: { label: 'ID', kind: 'text' }, at: { label: 'At', kind: 'text' } },
  },
  location: { label: 'Location', kind: 'reference', many: true, computed: 'location' },
}

const log: LocalRecord = {
  uuid: 'u-1',
  type: 'log',
  id: '7',
  bundle: 'farm_activity',
  name: 'Hoed',
  version: '3.x',
  fields: {
    done: '1',
    wet: false,
    timestamp: '1600000000',
    asset: [{ id: '5', name: 'Leek' }],
    notes: { value: '<p>Dry</p>', format: 'farm_format' },
    system: 'a word that was taken out of the list',
    season: { value: '10', value2: '20', duration: '10' },
    images: ['/file/5/a.jpg', '/file/6/b.jpg'],
    tag: [{ id: '117', at: 'left' }],
    uid: { id: '1' },
  },
}
const subject = { type: 'log', bundle: 'farm_activity', record: log } as const
const by = { now: 1_780_000_000, lists: { gone: [] } }
const written = (changed: object) =>
  formResult({ subject, fields, uuid: log.uuid, values: { ...valuesAtFirst(subject, {}), ...changed } }, by)
const sent = (changed: object) => written(changed).written?.changes[0]

describe('an edit', () => {
  test('without a change sends nothing, whatever the record contains', () => {
    expect(written({})).toMatchObject({ faults: null, written: { changes: [], photos: [] } })
  })

  test('survives storing and reading a draft', () => {
    const kept = structuredClone(valuesAtFirst(subject, {}))
    expect(written(kept).written?.changes).toEqual([])
  })

  test('sends only the fields that changed, with the record as it was read', () => {
    expect(sent({ name: 'Hoed twice', asset: [{ id: '5' }] })).toEqual({
      verb: 'change',
      type: 'log',
      uuid: 'u-1',
      fields: { name: 'Hoed twice' },
      read: log,
    })
  })

  test('clears emptied fields, and refuses to empty required ones', () => {
    expect(sent({ notes: undefined, asset: [] })).toMatchObject({ fields: { notes: null, asset: null } })
    expect(written({ name: '' }).faults?.map(({ at }) => at)).toEqual(['name'])
  })

  test('keeps the format of a text', () => {
    const notes = richTextWith(log.fields.notes, 'Wet')
    expect(sent({ notes })).toMatchObject({ fields: { notes: { value: 'Wet', format: 'farm_format' } } })
    expect(richTextWith(undefined, 'New')).toEqual({ value: 'New' })
  })

  test('treats "no" and an empty value as equal, as the farm does', () => {
    expect(sent({ wet: undefined })).toBeUndefined()
    expect(sent({ wet: true })).toMatchObject({ fields: { wet: true } })
    expect(sent({ done: '0' })).toMatchObject({ fields: { done: '0' } })
  })

  test('replaces a list of parts as a whole', () => {
    expect(sent({ tag: [{ id: '117', at: 'left' }, { id: '118' }] })).toMatchObject({
      fields: { tag: [{ id: '117', at: 'left' }, { id: '118' }] },
    })
  })

  test('lists the photos that stay, and sends new ones separately', () => {
    const photo = new Blob(['x'], { type: 'image/jpeg' })
    const added = written({ images: ['/file/5/a.jpg', '/file/6/b.jpg', photo] }).written
    expect(added).toMatchObject({ changes: [], photos: [{ record: 'u-1', field: 'images', file: photo }] })
    expect(sent({ images: ['/file/6/b.jpg', photo] })).toMatchObject({ fields: { images: ['/file/6/b.jpg'] } })
  })
})

describe('a new record', () => {
  const none = { type: 'log', bundle: 'farm_activity', record: null } as const

  test('sends all typed values; a log is done now by default', () => {
    const values = { ...valuesAtFirst(none, { asset: [{ id: '5' }] }), name: 'Hoed' }
    expect(formResult({ subject: none, fields, uuid: 'u-2', values }, by).written?.changes).toEqual([
      {
        verb: 'make',
        type: 'log',
        bundle: 'farm_activity',
        uuid: 'u-2',
        fields: { name: 'Hoed', timestamp: '1780000000', done: '1', asset: [{ id: '5' }] },
      },
    ])
  })

  test('is not saved without its required fields', () => {
    const { faults } = formResult({ subject: none, fields, uuid: 'u-2', values: {} }, by)
    expect(faults?.map(({ at }) => at)).toEqual(['name', 'timestamp'])
  })
})

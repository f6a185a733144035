import { describe, expect, it } from 'vitest'
import { attachments, takeAttachment } from '../../src/fields/attachment.ts'
import { harmlessTypeOf } from '../../src/fields/harmless-type.ts'
import { fileExtension } from '../../src/fields/mime.ts'
import { placeAt } from '../../src/fields/place.ts'
import type { Fault } from '../../src/refusal.ts'

function taken(input: unknown) {
  const faults: Fault[] = []
  const draft = takeAttachment(attachments('Files', 'any'), input, placeAt('files', { faults, words: () => [] }))
  return { draft, faults }
}

describe('a file that the farm has', () => {
  it.each([
    ['https://farm.example/file/5/cow.png', { file: 'kept', id: 5, name: 'cow.png' }],
    ['http://10.0.0.5:8080/sub/path/file/5/cow.png', { file: 'kept', id: 5, name: 'cow.png' }],
    ['/file/5/cow.png', { file: 'kept', id: 5, name: 'cow.png' }],
    [{ id: '5' }, { file: 'kept', id: 5 }],
    [{ fid: 5 }, { file: 'kept', id: 5 }],
    [{ file: { id: '5' } }, { file: 'kept', id: 5 }],
  ])('%j', (input, draft) => {
    expect(taken(input)).toEqual({ draft, faults: [] })
  })

  it.each([
    ...['/file/5', 'file/5/x', '/file/5/x/y', '/file/x/y', 'ftp://h/file/5/x', '/file/5/x?y', ''],
    ...[{ id: 'x' }, { id: 0 }, { id: -1 }, { file: { id: '1.5' } }],
  ])('not %j', (input) => {
    expect(taken(input)).toMatchObject({ draft: undefined, faults: [{ field: 'files' }] })
  })

  it.each([[{}], [{ id: null }], [{ id: '' }], [{ file: { id: null } }]])('%j names none', (input) => {
    expect(taken(input)).toEqual({ draft: undefined, faults: [] })
  })
})

it.each([
  ['image/png', 'png'],
  ['IMAGE/JPEG', 'jpg'],
  ['text/plain;charset=utf-8', 'txt'],
  ['application/x-unknown', 'dat'],
  ['constructor', 'dat'],
])('a %s is called .%s', (mime, extension) => {
  expect(fileExtension(mime)).toBe(extension)
})

it.each([
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ffe0', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['89504e470d0a1a', undefined],
  ['3c737667', undefined],
  ['', undefined],
])('the bytes %s show %s', (hex, type) => {
  expect(harmlessTypeOf(Buffer.from(hex, 'hex'))).toBe(type)
})

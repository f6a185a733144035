import { describe, expect, it } from 'vitest'
import { attachments } from '../../src/fields/attachment.ts'
import { placeAt } from '../../src/fields/place.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import { readAttachment } from '../../src/wire-1x/read-attachment.ts'

function read(input: unknown, known: { readonly address?: string } = {}) {
  const faults: RefusalFault[] = []
  const place = placeAt('files', { faults, words: () => [], ...known })
  return { draft: readAttachment(attachments('Files', 'any'), input, place), faults }
}

const cow = { file: 'kept', id: 5, name: 'cow.png' }

describe('a file that the farm has', () => {
  it.each([
    ['https://farm.example/file/5/cow.png', cow],
    ['http://10.0.0.5:8080/sub/path/file/5/cow.png', cow],
    ['/file/5/cow.png', cow],
    ['/sub/path/file/5/cow.png', cow],
    // Names as they were given before addresses were encoded; whether the file has that name is judged later.
    ['/file/5/x/y', { file: 'kept', id: 5, name: 'x/y' }],
    ['/file/5/x?y', { file: 'kept', id: 5, name: 'x?y' }],
    [{ id: '5' }, { file: 'kept', id: 5 }],
    [{ fid: 5 }, { file: 'kept', id: 5 }],
    [{ file: { id: '5' } }, { file: 'kept', id: 5 }],
    [{ file: '/file/5/cow.png' }, cow],
    [{ uri: 'https://farm.example/file/5/cow.png' }, cow],
    [{ url: 'https://farm.example/file/5/cow.png' }, cow],
    [{ src: '/file/5/cow.png' }, cow],
    [{ id: null, uri: '/file/5/cow.png' }, cow],
  ])('is recognised in %j', (input, draft) => {
    expect(read(input)).toEqual({ draft, faults: [] })
  })

  it.each([...['/file/5', 'file/5/x', '/file/x/y', 'ftp://h/file/5/x', ''], ...[{ foo: 'x' }, 7, true]])(
    'is refused in %j',
    (input) => {
      expect(read(input)).toMatchObject({ draft: undefined, faults: [{ field: 'files' }] })
    },
  )

  it.each([
    [{ id: 'x' }, 'files.id'],
    [{ id: 0 }, 'files.id'],
    [{ id: -1 }, 'files.id'],
    [{ fid: 'x' }, 'files.fid'],
    [{ file: { id: '1.5' } }, 'files.file.id'],
    [{ file: '/file/5' }, 'files.file'],
    [{ uri: 7 }, 'files.uri'],
    [{ data: '/file/5/cow.png' }, 'files.data'],
  ])('not %j, and the fault stands at its member', (input, field) => {
    expect(read(input)).toMatchObject({ draft: undefined, faults: [{ field }] })
  })

  it.each([[{}], [{ id: null }], [{ id: '' }], [{ file: { id: null } }], [{ file: { id: '', resource: 'file' } }]])(
    '%j names none',
    (input) => {
      expect(read(input)).toEqual({ draft: undefined, faults: [] })
    },
  )
})

describe('a file of the farm, whose address is known', () => {
  const known = { address: 'https://farm.example' }

  it.each([
    'https://farm.example/file/5/cow.png',
    'https://farm.example/sub/path/file/5/cow.png',
    '/file/5/cow.png',
    { uri: 'https://farm.example/file/5/cow.png' },
    { file: { url: 'https://farm.example/file/5/cow.png' } },
  ])('is recognised in %j', (input) => {
    expect(read(input, known)).toEqual({ draft: cow, faults: [] })
  })

  it.each([
    ['https://other.example/file/5/cow.png', 'files'],
    ['http://farm.example/file/5/cow.png', 'files'],
    ['https://farm.example:8443/file/5/cow.png', 'files'],
    ['https://farm.example.other.example/file/5/cow.png', 'files'],
    ['https://farm.example@other.example/file/5/cow.png', 'files'],
    [{ uri: 'https://other.example/file/5/cow.png' }, 'files.uri'],
    [{ file: { url: 'https://other.example/file/5/cow.png' } }, 'files.file.url'],
  ])('not %j, which is another host', (input, field) => {
    const message = expect.stringContaining('the address of a file of this farm')
    expect(read(input, known)).toEqual({ draft: undefined, faults: [{ field, message }] })
  })
})

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { firstOfLongFolders, firstOnPostgres, longFiles, needsFarm, testFilesOf } from '../harness/parts.ts'

describe.each(['sqlite', 'postgres', 'rooms', 'house'] as const)('the tests of %s', (project) => {
  it('run either in `npm test` or in `npm run test:rest`, and none in both', () => {
    const parts = [...testFilesOf(project, 'first'), ...testFilesOf(project, 'rest')]
    expect(testFilesOf(project, 'all')).not.toHaveLength(0)
    expect(parts.toSorted()).toEqual(testFilesOf(project, 'all').toSorted())
  })
})

it('names only files that exist in the lists of the parts', () => {
  expect([...firstOfLongFolders, ...longFiles, ...firstOnPostgres].filter((file) => !existsSync(file))).toEqual([])
})

it('needs no farm for the tests of a kind of field, and one for those of the interface', () => {
  expect([needsFarm('test/fields/wkt.test.ts'), needsFarm('test/spec/4-lists.test.ts')]).toEqual([false, true])
})

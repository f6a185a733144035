import { beforeEach, expect, test } from 'vitest'
import { forgetRecords, showChange } from '../../web/store/overlay.ts'
import type { LocalRecord, RecordFields } from '../../web/store/record.ts'
import { searchNames } from '../../web/store/search.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

let count = 0

const animal = (name: string, fields: RecordFields = {}): LocalRecord => {
  count += 1
  return { uuid: `u${count}`, type: 'asset', id: String(count), bundle: 'animal', name, version: '1.e', fields }
}

const keep = (...kept: LocalRecord[]) => showChange({ kept, removed: [] })
const found = (text: string) => searchNames(text).map(({ name }) => name)

beforeEach(forgetRecords)

test('search ranks the exact name first, then tags, prefixes and substrings', () => {
  keep(
    animal('Calf of 117'),
    animal('1170'),
    animal('Zora', { tag: [{ id: '117' }] }),
    animal('117'),
    animal('Yale', { tag: [{ id: 'DE 09 117' }] }),
    animal('Bruno'),
  )
  expect(found('117')).toEqual(['117', 'Zora', '1170', 'Calf of 117', 'Yale'])
})

test('case, accents and the order of words do not matter', () => {
  keep(animal('Élodie of the hill'), animal('Hill side'))
  expect(found('elodie')).toEqual(['Élodie of the hill'])
  expect(found('HILL el')).toEqual(['Élodie of the hill'])
})

test('a tag is found by its last digits, however it is written', () => {
  keep(animal('Ferdinand', { tag: [{ id: 'CH 120.0417.1000.0' }] }))
  expect(found('10000')).toEqual(['Ferdinand'])
})

test('archived records come last', () => {
  keep(animal('Rosa', { archived: '1700000000' }), animal('Rosalie', { archived: '0' }))
  expect(found('rosa')).toEqual(['Rosalie', 'Rosa'])
})

test('search finds records after a rename, a creation and a removal as they are now', () => {
  const rosa = animal('Rosa')
  keep(rosa)
  expect(found('rosa')).toEqual(['Rosa'])
  keep({ ...rosa, name: 'Berta' })
  expect(found('rosa')).toEqual([])
  expect(found('berta')).toEqual(['Berta'])
  showChange({ kept: [], removed: [rosa.uuid] })
  expect(found('berta')).toEqual([])
})

test('5,000 animals are searched in 50 ms of processor time', async () => {
  keep(...Array.from({ length: 5000 }, (_, index) => animal(`Cow ${index}`, { tag: [{ id: `DE 09 ${index}` }] })))
  for (const text of ['cow 4', '117', 'no such name', '4999', 'co'])
    expect(await leastProcessorTime(() => searchNames(text), { enough: 50 }), text).toBeLessThan(50)
})

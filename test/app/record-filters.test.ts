import { expect, test } from 'vitest'
import {
  activeFilters,
  listAddress,
  listOnServer,
  readFilters,
  timesOf,
} from '../../web/screens/records/list-address.ts'
import { timeZone } from '../../web/words/locale.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))

test('the address of a list and its filters convert both ways', () => {
  const address =
    '/records?q=kale&of=logs&type=farm_harvest&done=yes&flag=review&area=12&asset=5&from=2026-06-01&to=2026-06-30'
  expect(listAddress(read(address.slice(address.indexOf('?'))))).toBe(address)
  expect(listAddress(read(''))).toBe('/records')
})

test('invalid values in an address are ignored', () => {
  expect(listAddress(read('of=cows&done=maybe&area=north&from=june&archived=no'))).toBe('/records')
})

test('only filters that a kind of record has are shown as chosen', () => {
  expect(activeFilters(read('done=no&from=2026-06-01&archived=yes'))).toEqual(['done', 'from'])
  expect(activeFilters(read('of=assets&archived=yes&done=no'))).toEqual(['archived'])
})

test('days are whole days of the farm', () => {
  timeZone.value = 'Europe/Berlin'
  expect(timesOf(read('from=2026-03-29&to=2026-03-29'))).toEqual({
    from: Date.UTC(2026, 2, 28, 23) / 1000,
    before: Date.UTC(2026, 2, 29, 22) / 1000,
  })
  timeZone.value = 'UTC'
})

test('the server gets the same list query, if it has the filters', () => {
  expect(listOnServer(read('type=farm_harvest&done=yes&flag=review'))).toBe(
    '/log?type=farm_harvest&flags=review&done=1&sort=timestamp&direction=DESC',
  )
  expect(listOnServer(read('of=assets&type=animal&area=7'))).toBe(
    '/farm_asset?type=animal&location=7&archived=0&sort=name',
  )
  expect(listOnServer(read('of=areas&type=paddock'))).toBe(
    '/taxonomy_term?bundle=farm_areas&area_type=paddock&sort=name',
  )
  expect(listOnServer(read('of=terms&type=farm_crops'))).toBe('/taxonomy_term?bundle=farm_crops&sort=name')
  expect(listOnServer(read('area=12'))).toBeNull()
  expect(listOnServer(read('q=kale'))).toBeNull()
})

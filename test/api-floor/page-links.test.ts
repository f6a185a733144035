import { describe, expect, test } from 'vitest'
import { pageLinks } from '../../src/doors/api/documents/document.ts'
import { pageIn, readParameters } from '../../src/doors/api/query-parameters.ts'

const base = 'https://f'

const linksOf = (url: string, hasMore = true) => {
  const links = pageLinks(base, url, { ...pageIn(readParameters(url)), hasMore })
  return Object.fromEntries(Object.entries(links).map(([name, { href }]) => [name, href]))
}

describe('the links of a page', () => {
  test('of the first page are itself and the next, with all other parameters', () => {
    expect(linksOf('/api/log/harvest?filter[status]=done')).toEqual({
      self: 'https://f/api/log/harvest?filter%5Bstatus%5D=done',
      next: 'https://f/api/log/harvest?filter%5Bstatus%5D=done&page%5Boffset%5D=50&page%5Blimit%5D=50',
    })
  })

  test('of a page in the middle lead both ways', () => {
    expect(linksOf('/api/log/harvest?page[offset]=4&page[limit]=3&sort=-name')).toEqual({
      self: 'https://f/api/log/harvest?page%5Boffset%5D=4&page%5Blimit%5D=3&sort=-name',
      next: 'https://f/api/log/harvest?sort=-name&page%5Boffset%5D=7&page%5Blimit%5D=3',
      first: 'https://f/api/log/harvest?sort=-name&page%5Boffset%5D=0&page%5Blimit%5D=3',
      prev: 'https://f/api/log/harvest?sort=-name&page%5Boffset%5D=1&page%5Blimit%5D=3',
    })
  })

  test('never lead to before the first', () => {
    expect(linksOf('/api/log/harvest?page[offset]=2', false)).toEqual({
      self: 'https://f/api/log/harvest?page%5Boffset%5D=2',
      first: 'https://f/api/log/harvest?page%5Boffset%5D=0&page%5Blimit%5D=50',
      prev: 'https://f/api/log/harvest?page%5Boffset%5D=0&page%5Blimit%5D=50',
    })
  })

  test('of the last page have no next, and a bare address has no question mark', () => {
    expect(linksOf('/api/log/harvest/?', false)).toEqual({ self: 'https://f/api/log/harvest' })
  })

  test('say the limit that was used, and mean the same when a client appends another', () => {
    const { next = '' } = linksOf('/api/log/harvest?page[limit]=100')
    expect(next).toBe('https://f/api/log/harvest?page%5Boffset%5D=50&page%5Blimit%5D=50')
    expect(pageIn(readParameters(`${next}&page[limit]=7`))).toEqual({ offset: 50, limit: 7 })
  })

  test('mean what was asked, whatever characters it has', () => {
    const url = '/api/log/harvest?filter[name_%3E][value][]=a%20%2B%26%3D%C3%A4&filter[name_%3E][value][]=b+c&x1'
    const { next = '' } = linksOf(url)
    const asked = readParameters(next)
    expect([asked.get('filter'), asked.get('x1')]).toEqual([readParameters(url).get('filter'), ''])
    expect(next).toMatch(/^[\w%&=:/.?-]+$/)
  })
})

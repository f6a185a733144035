import { describe, expect, test } from 'vitest'
import { readQuery } from '../../src/formats/query-string.ts'
import { Refusal } from '../../src/refusal.ts'
import { openFloor, sendRaw } from './floor.ts'

const spelled = (query: string) =>
  readQuery(`/log.json?${query}`).map(({ name, brackets, value }) => [name, brackets.join('/'), value])

describe('a query (spec 4.1)', () => {
  test.each([
    ['type=farm_harvest', [['type', '', 'farm_harvest']]],
    [
      'type[]=a&type[]=b',
      [
        ['type', '', 'a'],
        ['type', '', 'b'],
      ],
    ],
    [
      'id[0]=1&id[1]=2',
      [
        ['id', '0', '1'],
        ['id', '1', '2'],
      ],
    ],
    ['timestamp[ge]=5', [['timestamp', 'ge', '5']]],
    ['area[tid][]=9', [['area', 'tid/', '9']]],
    ['movement[area]=7', [['movement', 'area', '7']]],
    ['name%5Bct%5D=k%C3%A4se+1%2B1', [['name', 'ct', 'käse 1+1']]],
    ['&page=0&&', [['page', '', '0']]],
    ['season=', [['season', '', '']]],
    ['full', [['full', '', '']]],
    ['a=b=c', [['a', '', 'b=c']]],
    [
      '__proto__=1&constructor[toString]=2',
      [
        ['__proto__', '', '1'],
        ['constructor', 'toString', '2'],
      ],
    ],
  ])('reads %s as names, keys and values', (query, entries) => {
    expect(spelled(query)).toEqual(entries)
  })

  test('is empty where there is none', () => {
    expect(readQuery('/log.json')).toEqual([])
    expect(readQuery('/log.json?')).toEqual([])
  })

  test.each([
    ['name=%', 'name'],
    ['name=%zz', 'name'],
    ['name=%C3%28', 'name'],
    ['name=%00', 'name'],
    ['name=%01', 'name'],
    ['name=%EF%BF%BF', 'name'],
    ['name=%ED%A0%80', 'name'],
    ['%ff=1', '%ff'],
    ['name[ct=1', 'name[ct'],
    ['name]=1', 'name]'],
    ['name[a]b=1', 'name[a]b'],
    ['=5', ''],
  ])('%s is refused and names the parameter', (query, parameter) => {
    try {
      readQuery(`/log?${query}`)
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      expect([error.status, error.details.faults?.[0]?.field]).toEqual([400, parameter])
    }
  })

  test('has at most 200 values', () => {
    const values = (count: number) => `/log?${'id[]=1&'.repeat(count)}`
    expect(readQuery(values(200))).toHaveLength(200)
    expect(() => readQuery(values(201))).toThrow(/200 values/)
  })

  test('is ASCII on the wire: raw bytes beyond it are no HTTP', async () => {
    const { port } = await openFloor((app) => {
      app.get('/log', (request) => readQuery(request.url))
    })
    const rest = ' HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    expect(await sendRaw(port, `GET /log?name=k%C3%A4se${rest}`)).toContain('"value":"käse"')
    expect(await sendRaw(port, `GET /log?name=käse${rest}`)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

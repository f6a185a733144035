import { describe, expect, test } from 'vitest'
import {
  includeIn,
  type ParameterValue,
  pageIn,
  readParameters,
  refuseAsOf,
  refuseVersion,
  refuseVersionOf,
  requirePresentVersion,
  sortIn,
  sparseFieldsIn,
  timeIn,
  versionIn,
} from '../../src/doors/api/query-parameters.ts'
import { Refusal } from '../../src/refusal.ts'

const asked = (query: string) => readParameters(`/api/log/harvest?${query}`)

const plain = (given: ParameterValue): unknown =>
  typeof given === 'string' ? given : Object.fromEntries([...given].map(([name, value]) => [name, plain(value)]))

function refusalOf(work: () => unknown): readonly [number, string | undefined] {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof Refusal) return [thrown.status, thrown.details.faults?.[0]?.field]
    throw thrown
  }
  return expect.unreachable()
}

describe('the parameters of a query', () => {
  test.each([
    ['filter[status]=done', { filter: { status: 'done' } }],
    ['filter%5Bstatus%5D=done', { filter: { status: 'done' } }],
    ['sort=a%20b', { sort: 'a b' }],
    ['sort=a+b', { sort: 'a b' }],
    ['filter[a][value][]=x&filter[a][value][]=y', { filter: { a: { value: { 0: 'x', 1: 'y' } } } }],
    ['filter[a][value][0]=x&filter[a][value][1]=y', { filter: { a: { value: { 0: 'x', 1: 'y' } } } }],
    ['filter[a][value][7]=x&filter[a][value][]=y', { filter: { a: { value: { 7: 'x', 8: 'y' } } } }],
    ['filter[t][condition][operator]=>=', { filter: { t: { condition: { operator: '>=' } } } }],
    ['page[limit]=50&page[limit]=3', { page: { limit: '3' } }],
    ['filter[x][value]=1&filter[x][value]=2&filter[x][value]=3', { filter: { x: { value: '3' } } }],
    ['filter[x]=1&filter[x][value]=2', { filter: { x: { value: '2' } } }],
    ['filter[x][value]=2&filter[x]=1', { filter: { x: '1' } }],
    ['filter[__proto__][constructor]=1', { filter: { ['__proto__']: { constructor: '1' } } }],
    ['cacheBust=1718000000&_format=json', { cacheBust: '1718000000', _format: 'json' }],
    ['', {}],
  ])('reads the query %s as its tree', (query, tree) => {
    expect(JSON.stringify(plain(asked(query)))).toBe(JSON.stringify(tree))
  })

  test('that are plain words nobody knows are refused, others are not', () => {
    expect(refusalOf(() => asked('limit=5'))).toEqual([400, 'limit'])
    expect(refusalOf(() => asked('foo[bar]=5'))).toEqual([400, 'foo'])
    expect(asked('Limit=5&x1=2&as_of=3').size).toBe(3)
  })
})

describe('a page', () => {
  test.each([
    ['', 0, 50],
    ['page[limit]=3', 0, 3],
    ['page[limit]=50&page[limit]=3', 0, 3],
    ['page[limit]=100&page[offset]=7', 7, 50],
  ])('has the offset and limit that "%s" asks for, at most 50', (query, offset, limit) => {
    expect(pageIn(asked(query))).toEqual({ offset, limit })
  })

  test.each([
    ['page=5', 'page'],
    ['page[limit]=0', 'page[limit]'],
    ['page[limit]=-1', 'page[limit]'],
    ['page[limit]=ten', 'page[limit]'],
    ['page[limit]=', 'page[limit]'],
    ['page[limit][]=5', 'page[limit]'],
    ['page[offset]=-1', 'page[offset]'],
    ['page[offset]=1.5', 'page[offset]'],
    ['page[number]=2', 'page[number]'],
  ])('of %s is refused', (query, parameter) => {
    expect(refusalOf(() => pageIn(asked(query)))).toEqual([400, parameter])
  })
})

describe('an order', () => {
  test.each([
    ['', []],
    ['sort=-timestamp,name', ['timestamp desc', 'name asc']],
    ['sort=asset.name', ['asset/name asc']],
    ['sort[s][path]=timestamp&sort[s][direction]=DESC', ['timestamp desc']],
    ['sort[a][path]=timestamp&sort[b][path]=name&sort[b][direction]=asc', ['timestamp asc', 'name asc']],
  ])('sorts by the keys that "%s" names', (query, keys) => {
    expect(sortIn(asked(query)).map(({ path, direction }) => `${path.join('/')} ${direction}`)).toEqual(keys)
  })

  test.each([
    ['sort=', 'sort'],
    ['sort=name,', 'sort'],
    ['sort=-', 'sort'],
    ['sort[s]=name', 'sort[s]'],
    ['sort[s][direction]=ASC', 'sort[s][path]'],
    ['sort[s][path]=name&sort[s][direction]=up', 'sort[s][direction]'],
    ['sort[s][path]=name&sort[s][by]=x', 'sort[s][by]'],
  ])('%s is refused', (query, parameter) => {
    expect(refusalOf(() => sortIn(asked(query)))).toEqual([400, parameter])
  })
})

describe('what is included', () => {
  test.each([
    ['', []],
    ['include=', []],
    ['include=asset,quantity,quantity.units', ['asset', 'quantity', 'quantity/units']],
    ['include=asset,%20asset', ['asset']],
  ])('includes each path of "%s" once', (query, paths) => {
    expect(includeIn(asked(query)).map((path) => path.join('/'))).toEqual(paths)
  })

  test.each(['include=asset,', 'include=a..b', 'include[]=a', `include=${Array(11).fill('parent').join('.')}`])(
    '%s is refused',
    (query) => {
      expect(refusalOf(() => includeIn(asked(query)))).toEqual([400, 'include'])
    },
  )
})

describe('sparse fields', () => {
  test('are kept by type', () => {
    const fields = sparseFieldsIn(asked('fields[log--harvest]=name,%20asset&fields[asset--plant]='))
    expect([...fields].map(([type, names]) => [type, [...names]])).toEqual([
      ['log--harvest', ['name', 'asset']],
      ['asset--plant', ['']],
    ])
  })

  test('without a type are refused', () => {
    expect(refusalOf(() => sparseFieldsIn(asked('fields=name')))).toEqual([400, 'fields'])
    expect(refusalOf(() => sparseFieldsIn(asked('fields[a--b][]=name')))).toEqual([400, 'fields[a--b]'])
  })
})

describe('a version', () => {
  test.each([
    ['', 'present'],
    ['resourceVersion=rel:latest-version', 'present'],
    ['resourceVersion=rel%3Aworking-copy', 'present'],
    ['resourceVersion=id%3A3', { revision: 3 }],
  ])('reads the version that "%s" asks for', (query, version) => {
    expect(versionIn(asked(query))).toEqual(version)
  })

  test.each(['id:', 'id:0', 'id:-3', 'id:x', '3', 'rel:first', ''])('%s is refused', (version) => {
    expect(refusalOf(() => versionIn(asked(`resourceVersion=${version}`)))).toEqual([400, 'resourceVersion'])
  })

  test('of a list is the present one, of a write none, and some things have none', () => {
    requirePresentVersion(asked('resourceVersion=rel:latest-version'))
    expect(refusalOf(() => requirePresentVersion(asked('resourceVersion=id:3')))).toEqual([400, 'resourceVersion'])
    expect(refusalOf(() => refuseVersion(asked('resourceVersion=id:3')))).toEqual([400, 'resourceVersion'])
    expect(refusalOf(() => refuseVersionOf('user--user', asked('resourceVersion=id:3')))[0]).toBe(501)
    refuseVersionOf('user--user', asked(''))
  })
})

describe('as_of', () => {
  const now = 1_700_000_000

  test('names a second of the past, and without it the time is now', () => {
    expect(timeIn(asked('as_of=1600000000'), now)).toEqual({ second: 1_600_000_000, archivedBy: 1_600_000_000 })
    expect(timeIn(asked(''), now).second).toBe(now)
  })

  test.each(['as_of=tomorrow', 'as_of=1800000000', 'as_of[]=1'])('%s is refused', (query) => {
    expect(refusalOf(() => timeIn(asked(query), now))).toEqual([400, 'as_of'])
  })

  test('is refused where there is no past', () => {
    expect(refusalOf(() => refuseAsOf(asked('as_of=1')))).toEqual([400, 'as_of'])
  })
})

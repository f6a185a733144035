import { describe, expect, test } from 'vitest'
import { inOrder, readBlueprint } from '../../src/doors/api/subrequests/blueprint.ts'
import { addressIn, copiesOf, isWithin, type TokenLookup } from '../../src/doors/api/subrequests/subrequests.ts'
import { filled, findByJsonPath, PartAnswers, tokensIn } from '../../src/doors/api/subrequests/tokens.ts'
import { limits } from '../../src/limits.ts'
import { Refusal } from '../../src/refusal.ts'

const part = (more: object = {}) => ({ requestId: 'a', action: 'view', uri: '/api', ...more })

function faultsOf(tree: unknown): readonly (string | undefined)[] {
  try {
    readBlueprint(tree)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    expect(thrown.status).toBe(400)
    return thrown.details.faults?.map(({ pointer }) => pointer) ?? []
  }
  return expect.unreachable()
}

describe('a blueprint', () => {
  test('says what to ask', () => {
    const headers = { Accept: 'application/json' }
    expect(readBlueprint([part({ action: 'create', headers, body: '{}', waitFor: ['<ROOT>'] })])).toEqual([
      { id: 'a', method: 'POST', uri: '/api', headers: { accept: 'application/json' }, body: '{}', waitFor: [] },
    ])
    const actions = ['view', 'create', 'update', 'replace', 'delete', 'exists', 'discover']
    const parts = readBlueprint(actions.map((action) => ({ action, uri: '/api' })))
    expect(parts.map(({ method }) => method)).toEqual(['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
    expect(new Set(parts.map(({ id }) => id)).size).toBe(7)
  })

  test.each([
    [part(), []],
    [[1], ['/0', '/0/action', '/0/uri']],
    [[part({ action: 'look' })], ['/0/action']],
    [
      [part({ uri: 7 }), part({ requestId: 'b', body: {} })],
      ['/0/uri', '/1/body'],
    ],
    [[part({ waitFor: 'b' })], ['/0/waitFor']],
    [[part({ waitFor: ['b'] })], ['/0/waitFor']],
    [[part(), part()], ['/1/requestId']],
    [[part({ requestId: '' })], ['/0/requestId']],
    [[part({ headers: { a: 1 } })], ['/0/headers']],
    [[part({ headers: { a: 'x\r\nb: y' } })], ['/0/headers']],
    [[part({ headers: { 'a b': 'x' } })], ['/0/headers']],
    [[part({ query: 'x' })], ['/0/query']],
  ])('%j is refused', (tree, pointers) => {
    expect(faultsOf(tree)).toEqual(pointers)
  })

  test('has at most 200 requests', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ action: 'view', uri: '/api' }))
    expect(readBlueprint(many(200))).toHaveLength(200)
    expect(() => readBlueprint(many(201))).toThrow(/200 requests/)
  })

  test('is done in its order, but nobody before those they wait for', () => {
    const order = (...parts: object[]) => inOrder(readBlueprint(parts)).map(({ id }) => id)
    expect(order(part({ waitFor: ['c'] }), part({ requestId: 'b' }), part({ requestId: 'c', waitFor: ['b'] }))).toEqual(
      ['b', 'c', 'a'],
    )
    expect(() => order(part({ waitFor: ['b'] }), part({ requestId: 'b', waitFor: ['a'] }))).toThrow(
      /wait for each other/,
    )
    expect(() => order(part({ waitFor: ['a'] }))).toThrow(/wait for each other/)
  })
})

describe('a JSONPath', () => {
  const tree = {
    data: [
      { id: 'u1', n: 0 },
      { id: 'u2', no: null },
    ],
    meta: { 'a b': true },
  }
  test.each([
    ['$', [tree]],
    ['$.data[*].id', ['u1', 'u2']],
    ['$.data[1].id', ['u2']],
    ['$.data[0].n', [0]],
    ['$.data[7].id', []],
    ['$.data.*.id', ['u1', 'u2']],
    ["$.meta['a b']", [true]],
    ['$.data[1].no', []],
    ['$.nothing.id', []],
    ['$.data[-1]', []],
    ['$..id', []],
    ['data', []],
    ['$.__proto__', []],
    ['$.constructor', []],
  ])('finds the values at %s, or nothing', (path, found) => {
    expect(findByJsonPath(path, tree, 10)).toEqual(found)
  })

  test('finds no more than are wanted', () => {
    expect(findByJsonPath('$[*]', [1, 2, 3], 2)).toEqual([1, 2])
  })
})

describe('a token', () => {
  test.each([
    ['body', '{"id": "{{a.body@$.data.id}}"}', [['a', 'body', '$.data.id']]],
    ['body', '{{a.body@$}} {{a.body@$}}', [['a', 'body', '$']]],
    ['body', '{{a.headers@$.location[0]}}', [['a', 'headers', '$.location[0]']]],
    ['body', '{{a.body@b.body@$.x}}', [['a.body@b', 'body', '$.x']]],
    [
      'body',
      '{{$ROOT.0::$create:quantity--standard.units::$createIfNotFound:taxonomy_term--unit.body@$.data.id}}',
      [['$ROOT.0::$create:quantity--standard.units::$createIfNotFound:taxonomy_term--unit', 'body', '$.data.id']],
    ],
    ['body', '{{a.body}} {{x}} {a.body@$}', []],
    ['uri', '/api/log/{{a.body@$.data.id}}', [['a', 'body', '$.data.id']]],
    ['uri', '/api/log/%7B%7Ba.body%40%24.data.id%7D%7D', [['a', 'body', '$.data.id']]],
    ['uri', '/api/log/%7b%7ba%20b.body@$.data%5B0%5D.id%7d%7d', [['a b', 'body', '$.data[0].id']]],
  ] as const)('is found in a %s: %s', (location, text, tokens) => {
    expect(tokensIn(location, text).map(({ id, of, path }) => [id, of, path])).toEqual(tokens)
  })

  const fill = (location: 'uri' | 'body', text: string, value: unknown) =>
    filled(location, text, { fillings: tokensIn(location, text).map((token) => ({ token, value })), longest: 100 })

  test('is filled as the place wants it', () => {
    expect(fill('body', '{"name": "{{a.body@$.n}}"}', 'say "ä"\n')).toBe('{"name": "say \\"ä\\"\\n"}')
    expect(fill('body', '{"n": {{a.body@$.n}}}', 7)).toBe('{"n": 7}')
    expect(fill('body', '{"n": {{a.body@$.n}}}', { a: [1] })).toBe('{"n": {"a":[1]}}')
    expect(fill('uri', '/api?filter[name]={{a.body@$.n}}', 'a & b')).toBe('/api?filter[name]=a%20%26%20b')
    expect(fill('uri', '{{a.body@$.links.next.href}}', 'https://f/api?a=1&b=2')).toBe('https://f/api?a=1&b=2')
    expect(fill('body', '{{a.body@$}}', '{{b.body@$}}')).toBe('{{b.body@$}}')
    expect(fill('body', '{{a.body@$}}'.repeat(2), 'x'.repeat(51))).toBeUndefined()
  })
})

describe('the copies of a part', () => {
  const copies = (more: object, values: Readonly<Record<string, readonly unknown[]>>, room = 200) => {
    const [one] = readBlueprint([part({ action: 'create', ...more })])
    if (one === undefined) return expect.unreachable()
    const valuesOf: TokenLookup = ({ id }) => values[id] ?? []
    return [...copiesOf(one, valuesOf, room)].map(({ contentId, uri, body }) => [contentId, uri, body])
  }

  test('without tokens are the part itself', () => {
    expect(copies({ body: '{}' }, {})).toEqual([['a', '/api', '{}']])
  })

  test('are named after where their tokens stand', () => {
    expect(copies({ body: '{{x.body@$}}' }, { x: [1, 2] })).toEqual([
      ['a#body{0}', '/api', '1'],
      ['a#body{1}', '/api', '2'],
    ])
    expect(copies({ uri: '/api/{{x.body@$}}' }, { x: ['u'] })).toEqual([['a#uri{0}', '/api/u', null]])
    expect(copies({ uri: '/api/{{x.body@$}}', body: '{{y.body@$}}' }, { x: ['u', 'v'], y: [1, 2] })).toEqual([
      ['a#uri{0}#body{0}', '/api/u', '1'],
      ['a#uri{0}#body{1}', '/api/u', '2'],
      ['a#uri{1}#body{0}', '/api/v', '1'],
      ['a#uri{1}#body{1}', '/api/v', '2'],
    ])
  })

  test('are multiplied over different tokens, and a token that finds nothing stays', () => {
    expect(copies({ body: '{{x.body@$}}{{y.body@$}}{{z.body@$}}' }, { x: [1, 2], y: [3, 4] })).toEqual([
      ['a#body{0}', '/api', '13{{z.body@$}}'],
      ['a#body{1}', '/api', '14{{z.body@$}}'],
      ['a#body{2}', '/api', '23{{z.body@$}}'],
      ['a#body{3}', '/api', '24{{z.body@$}}'],
    ])
    expect(copies({ body: '{{z.body@$}}' }, {})).toEqual([['a#body{0}', '/api', '{{z.body@$}}']])
  })

  test('are not more than there is room for', () => {
    const body = '{{x.body@$}}{{y.body@$}}'
    expect(copies({ body }, { x: [1, 2], y: [3, 4] }, 4)).toHaveLength(4)
    expect(() => copies({ body }, { x: [1, 2], y: [3, 4] }, 3)).toThrow(/200 requests/)
  })
})

describe('the address of a part', () => {
  test.each([
    ['/api/log/harvest', '/api/log/harvest'],
    ['api/log/harvest?page[limit]=1', '/api/log/harvest?page[limit]=1'],
    ['https://f/api/log/harvest', '/api/log/harvest'],
    ['http://other.example:8080/api?x1=%20', '/api?x1=%20'],
    ['https://f', '/'],
    ['/api?filter[name]=a b ä"#x', '/api?filter[name]=a%20b%20%C3%A4%22'],
    ['/api/{{a.body@$}}', '/api/%7B%7Ba.body@$%7D%7D'],
  ])('reads %s as a path of this farm', (uri, address) => {
    expect(addressIn(uri, 'https://f')).toBe(address)
  })

  test('lies within the interface', () => {
    for (const address of ['/api', '/api/', '/api?x1', '/api/log/harvest']) expect(isWithin(address)).toBe(true)
    for (const address of ['/', '/log', '/apiary', '/subrequests', '/x/api']) expect(isWithin(address)).toBe(false)
  })
})

test('the answers of all parts are kept up to a limit, and tokens find what is in them', () => {
  const answers = new PartAnswers()
  const add = (contentId: string, body: string) =>
    answers.add({ id: 'a', contentId, status: 201, headers: { location: '/api/x' }, body })
  add('a#body{0}', '{"id": 1}')
  add('a#body{1}', '{"id": 2}')
  add('a#body{2}', 'no JSON')
  const valuesOf = (text: string) => tokensIn('body', text).flatMap((token) => answers.valuesOf(token))
  expect(valuesOf('{{a.body@$.id}}')).toEqual([1, 2])
  expect(valuesOf('{{a#body{1}.body@$.id}}')).toEqual([2])
  expect(valuesOf('{{a.headers@$.status[0]}}')).toEqual([201, 201, 201])
  expect(valuesOf('{{a#body{0}.headers@$.location[0]}}')).toEqual(['/api/x'])
  expect(valuesOf('{{b.body@$.id}}')).toEqual([])
  add('a#body{3}', 'x'.repeat(limits.subanswerBytes))
  expect(answers.room).toBeLessThanOrEqual(0)
})

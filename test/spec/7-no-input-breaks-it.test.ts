import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import { allOlderFields, recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { anyFields } from '../records/any-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'

const interfaceOfStock = interfaceFarm(stockFarm)

let farm: FarmUnderTest
let client: Client
let sample: SampleFarm

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
})

/** Values that other programs have stumbled over. */
const nasty = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 2147483648, 9007199254740992, 1e21, 5e-324, '', ' ', '0'),
  fc.constantFrom<unknown>('NaN', '1e309', '012', '0x10', '__proto__', 'constructor', '🌾', '\u202e', 'İ', '%00', "'"),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { id: {} }, { id: { $gt: '' } }, { name: {} }, { value: [] }),
  fc.constantFrom<unknown>(
    { geom: {} },
    'POINT (',
    'data:',
    'data:;base64,',
    { file: [] },
    { fid: {} },
    'x'.repeat(300),
  ),
  fc.constantFrom<unknown>(
    '{"toString":1}',
    { toString: 1 },
    { length: 5 },
    { id: 1, name: 2 },
    { id: '1'.repeat(40) },
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Replaces something somewhere in the tree. */
function mutated(tree: unknown, [at, value]: readonly [number, unknown]): unknown {
  if (Array.isArray(tree) && tree.length > 0) {
    const index = at % (tree.length + 1)
    if (index === tree.length) return [...tree, value]
    return tree.map((item, nth) => (nth === index ? mutated(item, [at >> 2, value]) : item))
  }
  if (typeof tree === 'object' && tree !== null && Object.keys(tree).length > 0) {
    const keys = Object.keys(tree)
    const key = keys[at % keys.length] ?? ''
    const inner = at % 3 === 0 ? value : mutated((tree as Record<string, unknown>)[key], [at >> 2, value])
    return { ...tree, [key]: inner }
  }
  return value
}

const anyBundle = fc.constantFrom(
  ...recordTypeNames.flatMap((type) =>
    Object.keys(interfaceOfStock.records[type].bundles).map((bundle) => ({ type, bundle })),
  ),
)

const anyBody = ({ type, bundle }: { readonly type: RecordTypeName; readonly bundle: string }) => {
  const { bundleName } = interfaceOfStock.records[type]
  const known = interfaceFields(interfaceOfStock.records[type], bundle)
  const fields = anyFields(known, { farm: interfaceOfStock, sample, bundle })
  const changes = fc.array(fc.tuple(fc.nat(10_000), nasty), { maxLength: 4 })
  return fc.tuple(fields, changes).map(([good, all]) => {
    const whole: unknown = { ...good, [bundleName]: sample.vids[bundle] ?? bundle }
    return { type, body: all.reduce(mutated, whole) }
  })
}

const fieldNames = recordTypeNames.flatMap((type) => [...allOlderFields(interfaceOfStock.records[type]).keys()])
const anyWord = fc.oneof(
  fc.constantFrom(...fieldNames, 'page', 'limit', 'sort', 'direction', 'full', 'files', 'with', 'bundle', '__proto__'),
  fc.string({ maxLength: 6 }),
)
const anyBracket = fc.constantFrom(
  ...[
    '[]',
    '[0]',
    '[eq]',
    '[ne]',
    '[gt]',
    '[ge]',
    '[lt]',
    '[le]',
    '[ct]',
    '[sw]',
    '[id]',
    '[value]',
    '[area]',
    '[x]',
    '[',
  ],
  ...['[measure]', '[asset]', '[group]', '[unit]', '[geometry]', '[constructor]', ''],
)
const anyAsked = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.nat(50).map(String),
  fc.constantFrom('', '-1', '1.5', 'a%', '\\_', '1'),
)
const anyQuery = fc
  .array(fc.tuple(anyWord, fc.array(anyBracket, { maxLength: 2 }), anyAsked), { minLength: 1, maxLength: 4 })
  .map((parts) =>
    parts
      .map(([name, brackets, value]) => `${encodeURIComponent(name)}${brackets.join('')}=${encodeURIComponent(value)}`)
      .join('&'),
  )

const bugs = () => farm.lines.filter((line) => line.includes('"bug"') || /"status":5\d\d/.test(line))

it('7 no body gets an answer that blames the service', async () => {
  await fc.assert(
    fc.asyncProperty(anyBundle.chain(anyBody), fc.nat(20), async ({ type, body }, id) => {
      const path = `/${resourceOf[type]}`
      for (const answer of [await client.post(path, body), await client.put(`${path}/${id + 1}`, body)]) {
        expect(answer.status, `${answer.text} ${bugs().at(-1)}`).toBeLessThan(500)
      }
    }),
    { numRuns: rounds({ short: 60, long: 1500 }), seed: 7 },
  )
})

it('7 no query does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...recordTypeNames), anyQuery, async (type, query) => {
      const answer = await client.get(`/${resourceOf[type]}.json?${query}`)
      expect(answer.status, `${answer.text} ${bugs().at(-1)}`).toBeLessThan(500)
    }),
    { numRuns: rounds({ short: 60, long: 3000 }), seed: 7 },
  )
})

it('7 no path does', async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'log',
      'farm_asset',
      'taxonomy_term',
      'taxonomy_vocabulary',
      'user',
      'file',
      'farm',
      'areas',
      'geojson',
    ),
    fc.constantFrom(
      '1',
      '0',
      '-1',
      '1.json',
      '1.xml',
      '99999999999999999999',
      '__proto__',
      '..',
      '%2e%2e',
      '%00',
      '%',
      '%ff',
    ),
    fc.string({ maxLength: 5 }).map(encodeURIComponent),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      async (method, segments) => {
        const headers = { authorization: `Bearer ${client.login.token}` }
        const address = `${farm.base}/${segments.join('/')}`
        const answer = await fetch(address, { method, headers, redirect: 'manual' })
        expect(answer.status, `${await answer.text()} ${bugs().at(-1)}`).toBeLessThan(500)
      },
    ),
    { numRuns: rounds({ short: 60, long: 3000 }), seed: 7 },
  )
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { moduleFor } from '../../programs/move-in/generated-module.ts'
import { JsonLinesStore } from '../../programs/move-in/json-lines-store.ts'
import { unknownTo } from '../../programs/move-in/unknown-types.ts'
import { loadFarm } from '../../src/cli/modules.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Tree } from '../../src/fields/place.ts'
import { emptyDirectory } from '../harness/databases.ts'

async function farmWith(fields: Tree, logs: readonly Tree[], name = 'Elsewhere') {
  const folder = await emptyDirectory()
  const store = (file: string) => new JsonLinesStore(join(folder, file))
  const records = { log: store('log'), asset: store('asset'), term: store('term') }
  records.log.keep(new Map(logs.map((log, index) => [index + 1, { id: index + 1, type: 'farm_odd', ...log }])))
  const resources = { log: { farm_odd: { label: "It's odd", label_plural: 'Odd', fields } } }
  return {
    folder,
    other: { info: { name, resources }, from: 'farmOS' as const, vocabularies: store('v'), users: store('u'), records },
  }
}

async function loaded({ folder, other }: Awaited<ReturnType<typeof farmWith>>) {
  const text = moduleFor(stockFarm, other, unknownTo(stockFarm, other)) ?? ''
  const file = join(folder, 'module.mjs')
  writeFileSync(file, text)
  return { text, farm: await loadFarm([file]) }
}

it('a module declares fields of every kind that is described, and marks what it guesses', async () => {
  const { text, farm } = await loaded(
    await farmWith(
      {
        share: { label: 'Share', type: 'fraction', data_schema: null },
        third: { label: 'Third', type: 'fraction', data_schema: null },
        mood: { label: 'Mood', type: 'list_text', data_schema: [''] },
        part_of: { label: 'Parts', type: 'field_collection', data_schema: [{ size: null, note: '' }] },
      },
      [
        { share: { numerator: '1', denominator: '4' }, third: { numerator: '1', denominator: '3' }, mood: ['calm'] },
        { part_of: [{ size: '2.5', note: 'big' }], told_nowhere: 'x' },
      ],
    ),
  )
  const { fields } = farm.records.log.bundles.farm_odd ?? { fields: {} }
  expect(fields).toMatchObject({
    share: { kind: 'decimal' },
    third: { kind: 'text' },
    mood: { kind: 'choice', many: true, open: true },
    part_of: { kind: 'part', many: true, fields: { size: { kind: 'decimal' }, note: { kind: 'text' } } },
    told_nowhere: { kind: 'text' },
  })
  expect(text).toMatch(/'told_nowhere': .* \/\/ guessed/)
})

it('a module holds no code of the other server', async () => {
  const evil = 'x: (globalThis.broken = 1), y'
  const hostile = await farmWith(
    { [evil]: { label: "'); globalThis.broken = 1 //\n globalThis.broken = 1", type: 'text', data_schema: '' } },
    [],
    'A */ globalThis.broken = 1 /*\nglobalThis.broken = 1',
  )
  await expect(loaded(hostile)).rejects.toThrow('describes what cannot be recorded')
  expect(globalThis).not.toHaveProperty('broken')
})

it('a module declares several numbers as several texts, one image as a list, and marks both as guessed', async () => {
  const whole = { type: 'number_integer', data_schema: [null] }
  const { text, farm } = await loaded(
    await farmWith(
      {
        counts: { label: 'Counts', ...whole },
        weights: { label: 'Weights', type: 'number_decimal', data_schema: null },
        days: { label: 'Days', type: 'datestamp', data_schema: [null] },
        one_count: { label: 'Count', type: 'number_integer', data_schema: null },
        portrait: { label: 'Portrait', type: 'image', data_schema: { id: null } },
        photos: { label: 'Photos', type: 'image', data_schema: [{ id: null }] },
      },
      [{ counts: ['3', '5'], weights: ['1.5', '2'], days: ['1600000000'], one_count: '4' }],
    ),
  )
  const { fields } = farm.records.log.bundles.farm_odd ?? { fields: {} }
  expect(fields).toMatchObject({
    counts: { kind: 'text', many: true },
    weights: { kind: 'text', many: true },
    days: { kind: 'text', many: true },
    one_count: { kind: 'whole' },
    portrait: { kind: 'attachment' },
  })
  const guessed = [...text.matchAll(/^ *'(\w+)': .*\/\/ guessed$/gm)].map(([, name]) => name)
  expect(guessed).toEqual(['counts', 'weights', 'days', 'portrait'])
})

type Node = Record<string, unknown> & { readonly type: string; readonly start: number; readonly end: number }

const ownKeys = ['label', 'plural', 'title', 'description', 'fields', 'value', 'many', 'open', 'parent']

const isKit = (node: Node): boolean =>
  node.type === 'MemberExpression' && node.computed === false && (node.object as Node).name === 'kit'

/** What in an argument of the kit is neither a literal, nor the farm, nor the kit. */
function foreignIn(node: Node): string[] {
  const inside = (nodes: unknown) => (nodes as Node[]).flatMap(foreignIn)
  switch (node.type) {
    case 'Literal':
      return ['string', 'boolean'].includes(typeof node.value) ? [] : [node.type]
    case 'Identifier':
      return node.name === 'larger' ? [] : [String(node.name)]
    case 'MemberExpression':
      return isKit(node) ? [] : [node.type]
    case 'CallExpression':
      return isKit(node.callee as Node) ? inside(node.arguments) : [node.type]
    case 'ArrayExpression':
      return inside(node.elements)
    case 'ObjectExpression':
      return inside(node.properties)
    case 'SpreadElement':
      return foreignIn(node.argument as Node)
    case 'Property': {
      const key = node.key as Node
      const isOwn = key.type === 'Literal' ? typeof key.value === 'string' : ownKeys.includes(String(key.name))
      return isOwn && node.kind === 'init' && node.method === false ? foreignIn(node.value as Node) : ['Property']
    }
    default:
      return [node.type]
  }
}

/** What a module is besides one function that calls the kit. */
function foreignInModule(text: string): string[] {
  const { body } = parseAst(text) as unknown as { body: Node[] }
  expect(body.map(({ type }) => type)).toEqual(['ExportDefaultDeclaration'])
  const { id, params, body: block } = (body[0] as Node).declaration as Record<'id' | 'body', Node> & { params: Node[] }
  expect([id, ...params].map(({ name }) => name)).toEqual(['movedIn', 'farm', 'kit'])
  const [first, ...steps] = block.body as Node[]
  const last = steps.pop()
  expect([first, last].map((node) => text.slice(node?.start, node?.end))).toEqual([
    'let larger = farm',
    'return larger',
  ])
  return steps.flatMap((step) => {
    const { type, left, right } = step.expression as Record<'left' | 'right', Node> & { type: string }
    return type === 'AssignmentExpression' && left.name === 'larger' && right.type === 'CallExpression'
      ? foreignIn(right)
      : [type]
  })
}

/** The text without its string literals, comments included. */
function outsideOfStrings(text: string): string {
  const found: Node[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node)
    else for (const inside of Object.values(node)) look(inside)
  }
  look(parseAst(text))
  let at = 0
  const pieces = found.map(({ start, end }) => {
    const piece = text.slice(at, start)
    at = end
    return piece
  })
  return [...pieces, text.slice(at)].join('S')
}

/** A farm on which everything that can have a name is named with this. */
async function farmNamed(name: string) {
  const folder = await emptyDirectory()
  const store = (file: string) => new JsonLinesStore(join(folder, file))
  const records = { log: store('log'), asset: store('asset'), term: store('term') }
  const [vocabularies, users] = [store('v'), store('u')]
  const fields = Object.fromEntries(
    ['text', 'list_text', 'taxonomy_term_reference', 'entityreference', 'field_collection', 'image', name].map(
      (type) => [
        `${name} ${type}`,
        { label: name, type, data_schema: type === 'field_collection' ? [{ [name]: name }] : '' },
      ],
    ),
  )
  const bundle = { label: name, label_plural: name, fields }
  vocabularies.keep(new Map([[7, { vid: '7', machine_name: name, name, description: name }]]))
  records.term.keep(new Map([[1, { tid: '1', name, vocabulary: { id: '7' }, description: name }]]))
  records.asset.keep(new Map([[1, { id: '1', type: name, name }]]))
  const values = {
    [`${name} list_text`]: name,
    [`${name} entityreference`]: { id: '1', resource: name },
    [`${name} field_collection`]: [{ [name]: name, [`${name} 2`]: { id: '1', resource: name } }],
    [`${name} undescribed`]: name,
  }
  records.log.keep(
    new Map([
      [1, { id: '1', type: name, name, ...values }],
      [2, { id: '2', type: 'farm_harvest', quantity: [{ measure: name, value: '1' }], [`${name} more`]: name }],
    ]),
  )
  const resources = { log: { [name]: bundle }, farm_asset: { [name]: bundle }, taxonomy_term: { [name]: bundle } }
  return { info: { name, resources }, from: 'farmOS' as const, vocabularies, users, records }
}

const hostile = [
  '**//globalThis.broken=1/**//*',
  "'); globalThis.broken = 1 //",
  "\\'); globalThis.broken = 1 //",
  '\\',
  'a\nglobalThis.broken = 1\n',
  'a\r\u2028globalThis.broken = 1\u2029',
  '`$\u007b(globalThis.broken = 1)}`',
  '"+(globalThis.broken = 1)+"',
  '</script><!--\n-->',
  "\u202e'\u0000\u0085\ud800\u{e0001}",
  'constructor',
]

describe('a module for hostile names', () => {
  it.each(hostile)('%j holds calls of the kit with literals, and no other text outside of strings', async (name) => {
    const [other, harmless] = [await farmNamed(name), await farmNamed('Odd')]
    const text = moduleFor(stockFarm, other, unknownTo(stockFarm, other)) ?? ''
    const plain = moduleFor(stockFarm, harmless, unknownTo(stockFarm, harmless)) ?? ''
    expect(foreignInModule(text)).toEqual([])
    expect(outsideOfStrings(text)).toBe(outsideOfStrings(plain))
    expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u)
  })

  it('does not set a prototype', async () => {
    const other = await farmNamed('__proto__')
    const text = moduleFor(stockFarm, other, unknownTo(stockFarm, other)) ?? ''
    expect(foreignInModule(text)).toEqual([])
    expect(text).not.toMatch(/'__proto__':/)
  })
})

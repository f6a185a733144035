import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { type Asked, type Group, isFound, keyOf, queryOf } from './naive-filter.ts'
import { tellerOf } from './told-resources.ts'

const farm = await openFarm()
const ada = await farm.login('manager')
const bob = await farm.login('worker')
/** The same questions each time in the short run, others in each long one. */
const seed = rounds({ short: 12, long: Math.floor(Math.random() * 2 ** 31) })
const told = tellerOf(ada, farm.base)
const toldByBob = tellerOf(bob, farm.base)

/** The same farm for the same seed. */
const random = ((state: number) => () => {
  // mulberry32
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
})(seed)
const below = (count: number) => Math.floor(random() * count)
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => random() < 0.25)
const maybe = <T>(value: T): T | undefined => (random() < 0.5 ? value : undefined)
const teller = () => (random() < 0.7 ? told : toldByBob)
const name = () => one(['Apple', 'apple tree', 'Äpfel', 'Bean', 'bean 100%', 'Corn_1', 'corn 2', 'Ox'])
const notes = () => maybe({ value: one(['wet', 'Dry soil', 'dry']), format: one(['default', 'plain_text']) })
const flags = () => some(['monitor', 'priority', 'review'])
const time = () => 1_600_000_000 + below(6) * 86_400
const point = () => maybe(one(['POINT (7.5 50.25)', 'POINT (1 2)', 'LINESTRING (0 0, 2 2)']))
const tags = () =>
  some(['A1', 'B2']).map((id) => ({ id, type: one(['eid', 'other']), location: maybe('left') ?? null }))

const times = async (count: number, make: () => Promise<Json>): Promise<readonly Json[]> => {
  const made: Json[] = []
  for (let at = 0; at < count; at++) made.push(await make())
  return made
}
const units = await times(3, () => told.make('taxonomy_term/unit', { name: name(), weight: below(3) - 1 }))
const kinds = await times(3, () => told.make('taxonomy_term/animal_type', { name: name() }))
const categories = await times(3, () => told.make('taxonomy_term/log_category', { name: name() }, { parent: [] }))
const lands = await times(5, () =>
  teller().make('asset/land', {
    name: name(),
    land_type: one(['field', 'bed', 'other']),
    notes: notes(),
    flag: flags(),
    id_tag: tags(),
    intrinsic_geometry: point(),
    ...(random() < 0.3 ? { status: 'archived' } : {}),
  }),
)
const barns = await times(2, () =>
  told.make('asset/structure', { name: name(), structure_type: one(['building', 'other']) }, { parent: some(lands) }),
)
const places = [...lands, ...barns]
const trucks = await times(2, () =>
  told.make('asset/equipment', { name: name(), model: maybe(name()), is_location: true }),
)
const herds = await times(2, () => told.make('asset/group', { name: name() }))
const animals: Json[] = []
for (let at = 0; at < 7; at++)
  animals.push(
    await teller().make(
      'asset/animal',
      {
        name: name(),
        sex: maybe(one(['F', 'M'])),
        birthdate: maybe(time()),
        is_castrated: random() < 0.5,
        nickname: some(['Bel', 'Lala', 'bella']),
        flag: flags(),
        notes: notes(),
        id_tag: tags(),
        ...(random() < 0.3 ? { status: 'archived', archived: time() } : {}),
      },
      { animal_type: one(kinds), parent: [...some(animals), ...some(lands)], owner: [] },
    ),
  )
const assets = [...animals, ...places, ...trucks]
const quantities = await times(14, () => {
  const asset = maybe(one(assets))
  return teller().make(
    'quantity/standard',
    {
      measure: maybe(one(['weight', 'count', 'volume'])),
      value: maybe(one([{ decimal: '2.5' }, { decimal: '10' }, { decimal: '-3' }, { numerator: 1, denominator: 3 }])),
      label: maybe(name()),
      inventory_adjustment: asset === undefined ? null : one(['increment', 'decrement', 'reset']),
    },
    { units: maybe(one(units)) ?? null, inventory_asset: asset ?? null },
  )
})
const spare = [...quantities]
for (const bundle of ['activity', 'activity', 'activity', 'input', 'lab_test'])
  for (let at = 0; at < 5; at++)
    await teller().make(
      `log/${bundle}`,
      {
        name: name(),
        timestamp: time(),
        status: one(['pending', 'done', 'abandoned']),
        is_movement: random() < 0.4,
        is_group_assignment: random() < 0.3,
        flag: flags(),
        notes: notes(),
        ...(bundle === 'lab_test' ? { lab_test_type: maybe(one(['soil', 'water', 'tissue'])) } : {}),
        ...(bundle === 'input' ? { method: maybe(name()), purchase_date: maybe(time()) } : {}),
      },
      {
        asset: some([...animals, ...lands]).filter((asset) => asset !== undefined),
        location: one([[], [], [one(barns)], [one(trucks)]]),
        group: some(herds),
        category: some(categories),
        equipment: some(trucks),
        quantity: random() < 0.6 ? spare.splice(0, below(3)) : [],
      },
    )
const number = ({ attributes }: Json) => attributes.drupal_internal__id % 1_000_000_000
for (let at = 0; at < 6; at++)
  await ada.create('log', {
    type: one(['farm_activity', 'farm_input', 'farm_soil_test']),
    name: name(),
    timestamp: time(),
    done: below(2),
    asset: some(animals).map((asset) => ({ id: String(number(asset)) })),
    area: some(lands).map((land) => ({ id: String(number(land)) })),
    ...(random() < 0.4 ? { movement: { area: some(lands).map((land) => ({ id: String(number(land)) })) } } : {}),
    ...(random() < 0.5 ? { quantity: [{ measure: 'weight', value: '10', label: name() }] } : {}),
    ...(random() < 0.5 ? { inventory: [{ asset: { id: String(number(one(animals))) }, value: '-3' }] } : {}),
  })

const types = [
  'log/activity',
  'log/input',
  'log/lab_test',
  'asset/animal',
  'asset/land',
  'asset/structure',
  'quantity/standard',
  'taxonomy_term/unit',
]
const others = [
  'asset/equipment',
  'asset/group',
  'asset/water',
  'quantity/material',
  'taxonomy_term/animal_type',
  'taxonomy_term/log_category',
  'taxonomy_term/material_type',
  'user/user',
  'asset_type/asset_type',
  'log_type/log_type',
  'quantity_type/quantity_type',
  'taxonomy_vocabulary/taxonomy_vocabulary',
]
const byType = new Map<string, readonly Json[]>()
for (const type of [...types, ...others]) byType.set(type, await told.all(type))
const resources = new Map([...byType.values()].flat().map((resource) => [keyOf(resource), resource]))

/** What is worked out when it is read, and what only some may ask about. */
const unasked: Readonly<Record<string, readonly string[]>> = {
  asset: ['location', 'group', 'geometry', 'inventory'],
  log: ['geometry'],
  user: ['mail', 'timezone', 'preferred_langcode', 'preferred_admin_langcode', 'status', 'roles'],
  asset_type: ['dependencies'],
  log_type: ['dependencies'],
  quantity_type: ['dependencies'],
  taxonomy_vocabulary: ['dependencies'],
}

/** Every path that can be asked about, with the values that stand at its end. */
function pathsOf(some: readonly Json[], steps: number): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>()
  const note = (path: string, value: Json) => {
    const values = found.get(path) ?? []
    found.set(path, values)
    if (value !== null && value !== undefined) values.push(value)
  }
  for (const resource of some) {
    const hidden = unasked[resource.type.split('--')[0]] ?? []
    note('id', resource.id)
    for (const [name, value] of Object.entries(resource.attributes)) {
      if (hidden.includes(name)) continue
      for (const each of Array.isArray(value) ? value : [value]) {
        if (typeof each !== 'object') note(name, each)
        else if (each !== null)
          for (const [property, inner] of Object.entries(each))
            if (property !== 'processed') note(`${name}.${property}`, inner)
      }
    }
    for (const [name, { data }] of Object.entries<Json>(resource.relationships ?? {})) {
      if (hidden.includes(name) || name === 'file' || name === 'image') continue
      note(name, null)
      const targets = [data].flat().flatMap((link) => (link === null ? [] : [resources.get(keyOf(link))]))
      if (steps === 0) continue
      for (const [path, values] of pathsOf(targets.slice(0, 2), steps - 1)) {
        found.set(`${name}.${path}`, [...(found.get(`${name}.${path}`) ?? []), ...values].slice(0, 12))
      }
    }
  }
  return found
}

const timeNames = /(timestamp|created|changed|archived|birthdate|purchase_date)$/
const asWritten = (path: string, value: Json): string =>
  timeNames.test(path) && random() < 0.5 ? String(Date.parse(value) / 1000) : String(value)

function operatorsFor(path: string, [value]: readonly Json[]): readonly string[] {
  if (value === undefined) return ['IS NULL', 'IS NOT NULL']
  if (typeof value === 'boolean') return ['=', '<>', 'IN', 'IS NULL', 'IS NOT NULL']
  const ordered = ['=', '<>', '>', '>=', '<', '<=', 'IN', 'NOT IN', 'BETWEEN', 'NOT BETWEEN', 'IS NULL', 'IS NOT NULL']
  const isText = typeof value === 'string' && !timeNames.test(path) && !path.endsWith('decimal')
  return isText ? [...ordered, 'STARTS_WITH', 'CONTAINS', 'ENDS_WITH'] : ordered
}

function conditionFor(path: string, values: readonly Json[]): fc.Arbitrary<Asked> {
  const value = values.length === 0 ? fc.constant('') : fc.constantFrom(...values).map((each) => asWritten(path, each))
  return fc.constantFrom(...operatorsFor(path, values)).chain((operator): fc.Arbitrary<Asked> => {
    if (operator.startsWith('IS')) return fc.constant({ path, operator, values: [] })
    if (operator.endsWith('IN'))
      return fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => ({ path, operator, values: list }))
    if (operator.endsWith('BETWEEN')) return fc.tuple(value, value).map((list) => ({ path, operator, values: list }))
    if (!/[A-Z]/.test(operator)) return value.map((text) => ({ path, operator, values: [text] }))
    return fc
      .tuple(value, fc.nat(4), fc.nat(4))
      .map(([text, from, length]) => ({ path, operator, values: [text.slice(from, from + length + 1) || text] }))
  })
}

const questions = types.map((type) => {
  const paths = [...pathsOf(byType.get(type) ?? [], 2)]
  const condition = fc.constantFrom(...paths).chain(([path, values]) => conditionFor(path, values))
  const { group } = fc.letrec<{ group: Group; asked: Asked }>((tie) => ({
    asked: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: condition },
      { weight: 1, arbitrary: tie('group') },
    ),
    group: fc.record({
      conjunction: fc.constantFrom('AND', 'OR'),
      members: fc.array(tie('asked'), { minLength: 1, maxLength: 3 }),
    }) as fc.Arbitrary<Group>,
  }))
  return { type, group }
})

test.each(shareOfThisEngine(questions))(
  `any filter of $type finds what is found by looking at every resource (seed ${seed})`,
  async ({ type, group }) => {
    const all = byType.get(type) ?? []
    expect(all.length).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(group, async (asked) => {
        const { status, body } = await told.ask(type, queryOf(asked))
        expect([status, body.errors]).toEqual([200, undefined])
        const naive = all.filter((resource) => isFound(resources, resource, asked)).map(({ id }) => id)
        expect(body.data.map(({ id }: Json) => id)).toEqual(naive)
      }),
      { numRuns: rounds({ short: 60, long: 2_000 }), seed },
    )
  },
)

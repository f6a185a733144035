import type { Ajv2019 } from 'ajv/dist/2019.js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { schemaValidator } from '../harness/schema-validator.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

let farm: FarmUnderTest
let ada: Client
let ajv: Ajv2019
let types: readonly string[]
/** By their addresses without the base. */
const schemas = new Map<string, Json>()

const pathOf = (type: string, ...inside: string[]): string => ['/api', ...type.split('--'), ...inside].join('/')
const resourceSchemaOf = (type: string): Json => schemas.get(pathOf(type, 'resource/schema'))

/** What one type of each family leads to, and what has more: the others are alike. */
const followed = ['asset--animal', 'asset--land', 'log--birth', 'quantity--material', 'taxonomy_term--plant_type']
const relatedOf = (type: string): string[] =>
  followed.includes(type) ? Object.keys(resourceSchemaOf(type).definitions.relationships.properties) : []

async function fetched(path: string): Promise<Json> {
  const answer = await ada.get(path)
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'application/json'])
  schemas.set(path, answer.body)
  return answer.body
}

async function made(type: string, attributes: Json, relationships: Json = {}): Promise<Json> {
  const answer = await ada.post(pathOf(type), { data: { type, attributes, relationships } })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body.data
}

const to = ({ type, id }: Json): Json => ({ data: { type, id } })
const toMany = (...targets: Json[]): Json => ({ data: targets.map(({ type, id }) => ({ type, id })) })

beforeAll(async () => {
  farm = await openFarm()
  ada = await farm.login('manager')
  const entry = await fetched('/api/schema')
  types = entry.allOf[1].links.map((link: Json) => link.templatePointers.instanceHref.split('/')[2])
  for (const type of types) {
    for (const inside of ['schema', 'collection/schema', 'resource/schema']) await fetched(pathOf(type, inside))
    for (const name of relatedOf(type)) await fetched(pathOf(type, `resource/relationships/${name}/related/schema`))
  }
  ajv = schemaValidator()
  for (const schema of schemas.values()) ajv.addSchema(schema)
})

const isValid = (path: string, document: Json): boolean => {
  const validate = ajv.getSchema(farm.base + path)
  expect(validate, path).toBeDefined()
  const valid = validate?.(document) === true
  if (!valid) expect(validate?.errors, path).toEqual([])
  return valid
}

describe('the schemas of /api', () => {
  test('are there for every type that the entry document links to, and are found from there', async () => {
    const { links } = (await ada.get('/api')).body
    const { self: _, ...linked } = links
    expect(types).toEqual(expect.arrayContaining(Object.keys(linked)))
    expect(isValid('/api/schema', (await ada.get('/api')).body)).toBe(true)
    const [first] = schemas.get('/api/schema').allOf[1].links
    expect(first).toMatchObject({
      href: '{instanceHref}',
      rel: 'related',
      targetSchema: { $ref: `${farm.base}/api/asset/animal/collection/schema` },
      templatePointers: { instanceHref: '/links/asset--animal/href' },
    })
  })

  test('are valid schemas by 2019-09, each under the address that it names', () => {
    expect(schemas.size).toBeGreaterThan(150)
    for (const [path, schema] of shareOfThisEngine([...schemas])) {
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2019-09/hyper-schema',
        $id: farm.base + path,
        title: expect.any(String),
      })
      expect(ajv.validateSchema(schema), path).toBe(true)
      expect(() => ajv.getSchema(schema.$id), path).not.toThrow()
    }
  })

  test('lead from documents to resources', () => {
    const resource = { $ref: `${farm.base}/api/log/harvest/resource/schema` }
    expect(schemas.get('/api/log/harvest/schema').definitions).toEqual({ data: resource })
    expect(schemas.get('/api/log/harvest/collection/schema').definitions.data).toEqual({
      type: 'array',
      items: resource,
    })
    expect(schemas.get('/api/log/birth/resource/relationships/mother/related/schema').definitions.data).toEqual({
      anyOf: [{ type: 'null' }, { $ref: `${farm.base}/api/asset/animal/resource/schema` }],
    })
  })

  test('say of a resource what clients read there, in one word each', () => {
    const { title, allOf, definitions } = resourceSchemaOf('log--harvest')
    expect(title).toBe('Harvest log')
    expect(allOf).toMatchObject([
      { type: 'object', properties: { type: { $ref: '#/definitions/type' } } },
      { $ref: 'https://jsonapi.org/schema#/definitions/resource' },
    ])
    expect(definitions.type).toEqual({ const: 'log--harvest' })
    expect(definitions.attributes).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['timestamp', 'status'],
    })
    expect(definitions.attributes.properties).toMatchObject({
      name: { type: 'string', title: 'Name', maxLength: 255 },
      timestamp: { type: 'string', format: 'date-time', title: 'Timestamp' },
      status: {
        type: 'string',
        title: 'Status',
        maxLength: 255,
        oneOf: [
          { const: 'pending', title: 'Pending' },
          { const: 'done', title: 'Done' },
          { const: 'abandoned', title: 'Abandoned' },
        ],
      },
      is_movement: { type: 'boolean', title: 'Is movement', default: false },
      flag: { type: 'array', title: 'Flags', items: { type: 'string' } },
      notes: {
        type: 'object',
        title: 'Notes',
        properties: { value: { type: 'string' }, format: { type: 'string' } },
        required: ['value'],
      },
      geometry: { type: 'object', properties: { value: { type: 'string' } } },
    })
    expect(definitions.attributes.properties.status).not.toHaveProperty('default')
    expect(definitions.relationships.properties.quantity).toEqual({
      type: 'object',
      title: 'Quantity',
      properties: {
        data: {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'id'],
            properties: {
              type: { type: 'string', enum: ['quantity--material', 'quantity--standard', 'quantity--test'] },
              id: { type: 'string', format: 'uuid', maxLength: 128 },
              meta: { type: 'object' },
            },
          },
        },
      },
    })
    const { mother } = resourceSchemaOf('log--birth').definitions.relationships.properties
    expect(mother.properties.data).toMatchObject({
      type: 'object',
      properties: { type: { enum: ['asset--animal'] }, id: { type: 'string', format: 'uuid' } },
    })
  })

  test('have one type for every member, whatever it is', () => {
    expect(types.length).toBeGreaterThan(40)
    for (const type of types) {
      const { attributes, relationships } = resourceSchemaOf(type).definitions
      for (const [name, one] of Object.entries<Json>(attributes.properties)) {
        expect([type, name, one.title]).toEqual([type, name, expect.any(String)])
        expect(['string', 'boolean', 'integer', 'object', 'array'], `${type} ${name}`).toContain(one.type)
      }
      for (const one of Object.values<Json>(relationships.properties))
        expect(['object', 'array']).toContain(one.properties.data.type)
    }
  })

  test('say what is required, and the words of each kind of area', () => {
    const required = (type: string) => {
      const { attributes, relationships } = resourceSchemaOf(type).definitions
      return [...attributes.required, ...relationships.required]
    }
    const wordsOf = (type: string, name: string) =>
      resourceSchemaOf(type).definitions.attributes.properties[name].oneOf.map((one: Json) => one.const)
    expect(required('asset--animal')).toEqual(['name', 'status', 'animal_type'])
    expect(required('asset--land')).toEqual(['name', 'status', 'land_type'])
    expect(required('taxonomy_term--unit')).toEqual(['name'])
    expect(required('quantity--standard')).toEqual([])
    expect(wordsOf('asset--land', 'land_type')).toEqual(['field', 'bed', 'property', 'paddock', 'landmark', 'other'])
    expect(wordsOf('asset--structure', 'structure_type')).toEqual(['building', 'greenhouse', 'other'])
    expect(wordsOf('quantity--standard', 'inventory_adjustment')).toEqual(['increment', 'decrement', 'reset'])
    expect(wordsOf('asset--animal', 'sex')).toEqual(['F', 'M'])
    expect(resourceSchemaOf('asset--land').definitions.attributes.properties).toMatchObject({
      is_fixed: { default: true },
      is_location: { default: true },
    })
    expect(resourceSchemaOf('asset--animal').definitions.attributes.properties.is_fixed.default).toBe(false)
    expect(resourceSchemaOf('log--seeding').definitions.attributes.properties.is_movement.default).toBe(true)
  })

  test('describe fractions and tags as objects of their members', () => {
    expect(resourceSchemaOf('quantity--standard').definitions.attributes.properties.value).toMatchObject({
      type: 'object',
      properties: { numerator: { type: 'integer' }, denominator: { type: 'integer' } },
    })
    expect(resourceSchemaOf('asset--animal').definitions.attributes.properties.id_tag.items.properties).toMatchObject({
      id: {},
      type: {},
      location: {},
    })
  })

  test('are for everybody who may enter, and for nobody else', async () => {
    const nobody = await farm.login(null)
    const info = await farm.login('viewer', 'farm_info')
    for (const path of ['/api/schema', '/api/log/harvest/resource/schema', '/api/user/user/schema']) {
      const mayEnter = (await nobody.get('/api')).status
      expect([path, (await nobody.get(path)).status]).toEqual([path, mayEnter])
      expect([path, (await info.get(path)).status]).toEqual([path, (await info.get('/api')).status])
      expect([path, (await farm.anonymous.get(path)).status]).toEqual([path, (await farm.anonymous.get('/api')).status])
      expect([path, (await ada.post(path, {})).status]).toEqual([path, 405])
    }
  })

  test.each(
    shareOfThisEngine([
      '/api/log/nonsense/resource/schema',
      '/api/log/harvest/resource/relationships/name/related/schema',
    ]),
  )('are missing for what is not there: %s', async (path) => {
    expect(await ada.get(path)).toMatchObject({ status: 404, body: { errors: [{ status: '404' }] } })
  })

  test('are not sent twice to whoever has them', async () => {
    const first = await ada.get('/api/log/harvest/resource/schema')
    const again = await ada.get('/api/log/harvest/resource/schema', {
      'if-none-match': first.headers.get('etag') ?? '',
    })
    expect(again.status).toBe(304)
  })
})

/** A body of every type that holds records, with what it requires. */
async function onesOfEveryType(): Promise<readonly Json[]> {
  const terms = new Map<string, Json>()
  for (const type of types.filter((name) => name.startsWith('taxonomy_term--')))
    terms.set(type, await made(type, { name: `First ${type}`, description: { value: 'Said', format: null } }))
  const term = (vocabulary: string) => terms.get(`taxonomy_term--${vocabulary}`)
  const needed: Record<string, [Json, Json]> = {
    'asset--animal': [{ id_tag: [{ id: '7' }] }, { animal_type: to(term('animal_type')) }],
    'asset--plant': [{}, { plant_type: toMany(term('plant_type')) }],
    'asset--seed': [{}, { plant_type: toMany(term('plant_type')) }],
    'asset--material': [{}, { material_type: to(term('material_type')) }],
    'asset--product': [{}, { product_type: to(term('product_type')) }],
    'asset--land': [{ land_type: 'field', intrinsic_geometry: 'POINT (7.1 50.2)' }, {}],
    'asset--structure': [{ structure_type: 'other' }, {}],
  }
  const found = [...terms.values()]
  for (const type of types.filter((name) => name.startsWith('asset--'))) {
    const [attributes, relationships] = needed[type] ?? [{}, {}]
    found.push(await made(type, { name: type, archived: 0, ...attributes }, relationships))
  }
  for (const type of types.filter((name) => name.startsWith('quantity--')))
    found.push(await made(type, { value: { decimal: '2.50' }, measure: 'weight' }, { units: to(term('unit')) }))
  const assets = found.filter(({ type }) => type.startsWith('asset--'))
  for (const type of types.filter((name) => name.startsWith('log--')))
    found.push(await made(type, { notes: 'Seen' }, { asset: toMany(...assets.slice(0, 3)) }))
  return found
}

describe('what /api answers', () => {
  test('is valid by the schemas, and says all that they list: every type, its list, and what it leads to', async () => {
    const made = await onesOfEveryType()
    for (const { type, id } of shareOfThisEngine(made)) {
      const one = (await ada.get(pathOf(type, id))).body
      expect(isValid(pathOf(type, 'schema'), one)).toBe(true)
      expect(isValid(pathOf(type, 'collection/schema'), (await ada.get(pathOf(type))).body)).toBe(true)
      const { attributes, relationships } = resourceSchemaOf(type).definitions
      expect(Object.keys(one.data.attributes).toSorted()).toEqual(Object.keys(attributes.properties).toSorted())
      expect(Object.keys(one.data.relationships).toSorted()).toEqual(Object.keys(relationships.properties).toSorted())
      for (const name of relatedOf(type)) {
        const related = await ada.get(pathOf(type, id, name))
        expect([type, name, related.status]).toEqual([type, name, 200])
        expect(isValid(pathOf(type, `resource/relationships/${name}/related/schema`), related.body)).toBe(true)
      }
    }
  })

  test('is valid where only some members are asked for', async () => {
    const { id } = await made('log--activity', { name: 'Short' })
    const { body } = await ada.get(`/api/log/activity/${id}?fields[log--activity]=name`)
    expect(body.data.attributes).toEqual({ name: 'Short' })
    expect(isValid('/api/log/activity/schema', body)).toBe(true)
  })

  test('is valid where somebody says yes to archived, or uses a word of their own', async () => {
    const { type, id } = await made('asset--structure', { name: 'Barn', structure_type: 'other' })
    const data = { type, id, attributes: { archived: true } }
    const { body } = await ada.sendJson('PATCH', `/api/asset/structure/${id}`, { data })
    expect(body.data.attributes).toMatchObject({ archived: true, status: 'archived' })
    expect(isValid('/api/asset/structure/schema', body)).toBe(true)
    const test = await made('log--lab_test', { lab_test_type: 'manure' })
    const read = await ada.get(`/api/log/lab_test/${test.id}`)
    expect(read.body.data.attributes.lab_test_type).toBe('manure')
    expect(isValid('/api/log/lab_test/schema', read.body)).toBe(true)
  })

  test('is valid of users and of the words of the catalogue, too', async () => {
    const others = types.filter((name) => !/^(asset|log|quantity|taxonomy_term|file)--/.test(name))
    expect(others.length).toBeGreaterThan(8)
    for (const type of others) {
      const { body } = await ada.get(pathOf(type))
      expect(body.data.length > 0, type).toBe(type !== 'field_module--field_module')
      expect(isValid(pathOf(type, 'collection/schema'), body)).toBe(true)
      const { attributes } = resourceSchemaOf(type).definitions
      for (const one of body.data.filter(({ attributes: told }: Json) => type !== 'user--user' || 'mail' in told))
        expect(Object.keys(one.attributes).toSorted()).toEqual(Object.keys(attributes.properties).toSorted())
    }
  })

  test('is not valid with a member that is not described, or of another form', async () => {
    const { id } = await made('log--activity', { name: 'Kept' })
    const { body } = await ada.get(`/api/log/activity/${id}`)
    const validate = ajv.getSchema(`${farm.base}/api/log/activity/schema`)
    const changed = (attributes: Json) => ({
      ...body,
      data: { ...body.data, attributes: { ...body.data.attributes, ...attributes } },
    })
    expect(validate?.(changed({}))).toBe(true)
    for (const wrong of [
      { colour: 'red' },
      { name: 5 },
      { status: 'sleeping' },
      { is_movement: null },
      { timestamp: 1 },
    ])
      expect([wrong, validate?.(changed(wrong))]).toEqual([wrong, false])
  })
})

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/config.ts'
import { describeInterface } from '../../src/doors/description.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Json } from '../harness/client.ts'
import { Contract } from '../harness/contract.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { root } from '../house/tree.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'

const described = (farm: Farm, settings = {}): Json => {
  const vocabularies = new Map(Object.keys(farm.records.term.bundles).map((name, index) => [name, index + 1]))
  return describeInterface({ farm, vocabularies, settings: { ...defaultSettings, ...settings } }, 'http://farm.example')
}

describe('the description of the interface', () => {
  let document: Json

  beforeAll(() => {
    document = described(stockFarm)
  })

  test('is OpenAPI 3.1 by the official schema', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(described(stockFarm, { basicAuth: /^restws/ }))
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  test('is without a fault or a warning by all recommended rules of redocly', async () => {
    const folder = await emptyDirectory()
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(described(stockFarm, { basicAuth: /^restws/ })))
    const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
    const arguments_ = [redocly, 'lint', 'openapi.json', '--extends=recommended', '--format=json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { cwd: folder, env })
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  })

  test('has ids of one type: in paths, in records, in references', () => {
    const id = { $ref: '#/components/schemas/Id' }
    const { schemas } = document.components
    const byEither = { anyOf: [id, { $ref: '#/components/schemas/Uuid' }] }
    expect(document.paths['/log/{id}'].parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: byEither },
    ])
    expect(document.paths['/user/{id}'].parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: id }])
    expect([schemas.log_farm_harvest.properties.id, schemas.farm_asset_animal.properties.id]).toEqual([id, id])
    expect(schemas.Reference.properties.id).toMatchObject(id)
  })

  test('has lists of records under an ending, and of references too where they can be asked for', () => {
    const listed = (path: string) =>
      document.paths[path].get.responses['200'].content['application/json'].schema.properties.list.items
    const full = { $ref: '#/components/parameters/full' }
    expect(listed('/log.json')).toEqual({ $ref: '#/components/schemas/log' })
    expect(document.paths['/log.json'].get.parameters).not.toContainEqual(full)
    expect(listed('/log').anyOf).toContainEqual({ $ref: '#/components/schemas/Reference' })
    expect(document.paths['/log'].get.parameters).toContainEqual(full)
  })

  test('has every comparison as a parameter of its own, which every program sends alike', () => {
    const { parameters } = document.components
    expect(parameters['log_timestamp.ge']).toMatchObject({ name: 'timestamp[ge]', in: 'query' })
    expect(parameters['log_quantity.value.gt']).toMatchObject({ name: 'quantity[value][gt]' })
    expect(parameters['log_movement.area']).toMatchObject({ name: 'movement[area]' })
    expect(parameters['log_files.eq']).toMatchObject({ name: 'files[eq]' })
    const older = Object.entries(parameters as Record<string, Json>).filter(([name]) => !name.startsWith('Api'))
    const shapes = older.map(([, { schema }]) => schema.type)
    expect(shapes).not.toContain('object')
  })

  test('types the operations of a batch by method and kind of record', () => {
    const batch = new Contract(document).validatorOf({ $ref: '#/components/schemas/BatchOperation' })
    const activity = { name: 'Drive out', type: 'farm_activity', timestamp: 1, asset: [{ id: '$geese' }] }
    const taken = [
      { method: 'POST', path: '/log', as: 'drive', body: activity },
      { method: 'PUT', path: '/farm_asset/$geese', body: { flags: ['monitor'] } },
      { method: 'PUT', path: '/taxonomy_term/7', body: { name: 'North' } },
      { method: 'DELETE', path: '/log/$drive' },
    ]
    for (const operation of taken) expect(batch(operation), JSON.stringify(operation)).toBe(true)
    const refused = [
      { method: 'POST', path: '/farm_asset', body: activity },
      { method: 'POST', path: '/log', body: { name: 'No time', type: 'farm_activity' } },
      { method: 'POST', path: '/user', body: { name: 'ada' } },
      { method: 'PUT', path: '/log', body: { name: 'Which?' } },
      { method: 'DELETE', path: '/log/$a b' },
      { method: 'GET', path: '/log/1' },
    ]
    for (const operation of refused) expect(batch(operation), JSON.stringify(operation)).toBe(false)
  })

  test('has schemas that compile, each of them, and no reference that leads nowhere', () => {
    const contract = new Contract(document)
    const ajv = new Ajv2020()
    expect(document.components.schemas).not.toEqual({})
    for (const schema of Object.values(document.components.schemas as Record<string, Json>)) {
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
    }
    for (const name of Object.keys(document.components.schemas)) {
      expect(contract.validatorOf({ $ref: `#/components/schemas/${name}` }), name).toBeTypeOf('function')
    }
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    for (const [, kind, name] of references) {
      expect(document.components[kind ?? ''], `${kind} ${name}`).toHaveProperty([name ?? ''])
    }
  })

  test('names every operation once', () => {
    const ids = [...JSON.stringify(document.paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(50)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has every bundle and every field of the catalogue, for reading, creating and changing', () => {
    const { schemas } = document.components
    for (const type of recordTypeNames) {
      for (const bundle of Object.keys(interfaceFarm(stockFarm).records[type].bundles)) {
        const all = interfaceFields(stockFarm.records[type], bundle)
        const name = `${resourceOf[type]}_${bundle}`
        expect(Object.keys(schemas[name].properties)).toEqual(expect.arrayContaining(Object.keys(all)))
        const written = Object.keys(all).filter((field) => !all[field]?.computed && !all[field]?.readOnly)
        const { properties: change } = schemas[`${name}_change`]
        expect(Object.keys(change)).toEqual(expect.arrayContaining(written))
        expect(change).not.toHaveProperty('location')
        const required = Object.keys(all).filter((field) => all[field]?.required)
        expect(schemas[`${name}_new`].required).toEqual(required)
      }
    }
  })

  test('tells apart what a seeding and an activity have', () => {
    const { schemas } = document.components
    expect(schemas.log_farm_activity.properties).toHaveProperty('area')
    expect(schemas.log_farm_seeding.properties).not.toHaveProperty('area')
    expect(schemas.log.discriminator.mapping.farm_seeding).toBe('#/components/schemas/log_farm_seeding')
    expect(schemas.part_quantity.properties.measure.anyOf[0].enum).toContain('weight')
  })

  test('grows with an installed module', () => {
    const hive = { label: 'Hive', plural: 'Hives', fields: { frames: kit.whole('Frames'), queen: kit.text('Queen') } }
    const grown = described(kit.withAssetType(stockFarm, 'hive', hive))
    expect(grown.components.schemas.farm_asset_hive.properties.frames.description).toBe('Frames')
    expect(grown.components.schemas.farm_asset.discriminator.mapping).toHaveProperty('hive')
    const parameters = JSON.stringify(grown.paths['/farm_asset.json'].get.parameters)
    expect(parameters).toContain('#/components/parameters/farm_asset_frames')
    expect(JSON.stringify(document)).not.toContain('farm_asset_hive')
  })

  test('has the addresses for whoever watches over the server, which ask nobody who they are', () => {
    for (const path of ['/healthz', '/readyz']) expect(document.paths[path].get.security).toEqual([])
    expect(document.paths['/readyz'].get.responses).toHaveProperty(['503', 'content', 'text/plain'])
  })

  test('follows the settings', () => {
    expect(document.components.securitySchemes).not.toHaveProperty('basic')
    const other = described(stockFarm, { basicAuth: /x/, passwordGrant: false, restModule: 'rest' })
    expect(other.components.securitySchemes.basic).toEqual({ type: 'http', scheme: 'basic' })
    expect(other.components.securitySchemes.oauth.flows).not.toHaveProperty('password')
    expect(other.paths).toHaveProperty(['/rest/session/token'])
  })
})

describe('the check of answers against it', () => {
  const contract = new Contract(described(stockFarm))
  const answered =
    (path: string, status: number, body: Json, mediaType = 'application/json') =>
    () =>
      contract.check({ method: 'GET', path, status, mediaType, text: JSON.stringify(body), body })
  const user = { uid: '1', id: '1', name: 'ada', url: 'http://farm.example/user/1' }

  test('lets pass what is described', () => {
    expect(answered('/user/1.json', 200, user)).not.toThrow()
    expect(answered('/user/1?x=1', 200, user)).not.toThrow()
    expect(answered('/account', 200, '', 'text/html')).not.toThrow()
  })

  test.each([
    ['a member too many', '/user/1.json', 200, { ...user, password: 'x' }, 'additional properties'],
    ['a member too few', '/user/1.json', 200, { uid: '1' }, "must have required property 'id'"],
    ['another type', '/user/1.json', 200, { ...user, uid: 1 }, '/uid must be string'],
    ['another status', '/user/1.json', 201, user, 'no such status'],
    ['an unknown address', '/secrets.json', 200, {}, 'nothing is described there'],
    ['a bundle that is none', '/log/1.json', 200, { type: 'farm_party' }, 'tag'],
  ])('sees %s', (_what, path, status, body, fault) => {
    expect(answered(path, status, body)).toThrow(fault)
  })

  test('sees another format, and a refusal that is none', () => {
    expect(answered('/user/1.json', 200, user, 'application/xml')).toThrow('no application/xml')
    expect(answered('/nowhere', 404, { oops: true }, 'application/problem+json')).toThrow("required property 'type'")
  })
})

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Client, Json } from '../../harness/client.ts'
import { bindAnew, type FarmUnderTest } from '../../harness/farm.ts'
import { vocabularies } from './bundles.ts'
import { bytesOf, type FileKind, type FileModel, newFile } from './files.ts'
import type { Thing } from './thing.ts'
import type { World } from './world.ts'

/** One farm, and somebody at each door. */
export interface StoryFarm extends World {
  readonly farm: FarmUnderTest
  readonly older: { readonly client: Client; readonly user: Thing }
  readonly newer: { readonly client: Client; readonly user: Thing }
  /** Sends files ahead, so that there are some for the next record. */
  sendFiles(): Promise<void>
}

/** Something of everything that a record can refer to, half of it made through either door. */
export async function storyFarmOf(farm: FarmUnderTest): Promise<StoryFarm> {
  const older = await farm.login()
  const newer = await farm.login()
  const { data } = (await newer.get('/api/user/user')).body
  const users = data.map(({ id, attributes }: Json) => ({
    family: 'user',
    uuid: id,
    number: attributes.drupal_internal__uid,
    newerType: 'user--user',
    name: attributes.name,
  })) as readonly Thing[]
  const userOf = ({ login }: Client) => users.find(({ name }) => name === login.name) as Thing

  const make = async (type: string, name: string, members: Members = {}): Promise<Thing> => {
    const [family = '', bundle = ''] = type.split('--')
    const { attributes = {}, relationships = {} } = members
    const resource = { type, id: randomUUID(), attributes: { name, ...attributes }, relationships }
    const answer = await newer.post(`/api/${family}/${bundle}`, { data: resource })
    expect(answer, answer.text).toMatchObject({ status: 201 })
    const number = answer.body.data.attributes
    const isArea = ['land', 'structure', 'water'].includes(bundle)
    const numbered = number.drupal_internal__tid ?? number.drupal_internal__id
    return {
      family: family === 'taxonomy_term' ? 'term' : isArea ? 'area' : 'asset',
      uuid: resource.id,
      number: isArea ? numbered - 1_000_000_000 : numbered,
      newerType: type,
      name,
    }
  }

  const terms = new Map<string, readonly Thing[]>()
  for (const { older: vocabulary, newer: type } of vocabularies) {
    const names = [`First ${type}`, `Second ${type}`, `Third ${type}`]
    const made: Thing[] = []
    for (const name of names) made.push(await make(`taxonomy_term--${type}`, name))
    terms.set(vocabulary, made)
  }
  const first = (vocabulary: string) => terms.get(vocabulary)?.[0] as Thing
  const to = ({ newerType, uuid }: Thing) => ({ type: newerType, id: uuid })
  const two = async (type: string, name: string, members: Members = {}) => [
    await make(type, `${name} 1`, members),
    await make(type, `${name} 2`, members),
  ]
  const animals = await two('asset--animal', 'Animal', {
    relationships: { animal_type: { data: to(first('farm_animal_types')) } },
  })
  const plants = await two('asset--plant', 'Plant', {
    relationships: { plant_type: { data: [to(first('farm_crops'))] } },
  })
  await make('asset--seed', 'Seed', { relationships: { plant_type: { data: [to(first('farm_crops'))] } } })
  await make('asset--material', 'Material', { relationships: { material_type: { data: to(first('farm_materials')) } } })
  await make('asset--product', 'Product', { relationships: { product_type: { data: to(first('product_type')) } } })
  for (const [type, name] of [
    ['log--lab_test', 'Lab test'],
    ['log--purchase', 'Purchase'],
    ['log--sale', 'Sale'],
  ] as const)
    await make(type, name)
  const equipment = await two('asset--equipment', 'Equipment')
  const groups = await two('asset--group', 'Group')
  const places = await two('asset--compost', 'Heap', { attributes: { is_location: true } })
  const shapes = new Map<Thing, string>()
  const area = async (name: string, shape?: string) => {
    const made = await make('asset--land', name, {
      attributes: { land_type: 'field', intrinsic_geometry: shape ?? null },
    })
    if (shape !== undefined) shapes.set(made, shape)
    return made
  }
  const areas = [await area('Barn', 'POINT (1 1)'), await area('Pen'), await area('Yard', 'POINT (2 2)')]
  const plots = [await area('North', 'POINT (3 3)'), await area('South')]
  await bindAnew(farm)
  const uploads: Record<FileKind, FileModel[]> = { image: [], file: [] }
  const sendFile = async (kind: FileKind) => {
    const file = newFile(kind)
    const answer = await newer.send('POST', `/api/log/observation/${kind}`, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `file; filename="${kind === 'image' ? 'photo.png' : 'notes.txt'}"`,
      },
      body: new Uint8Array(bytesOf(file)),
    })
    expect(answer, answer.text).toMatchObject({ status: 201 })
    file.uuid = answer.body.data.id
    uploads[kind].push(file)
  }
  const assets = new Map(Object.entries({ animal: animals, planting: plants, equipment }))
  return {
    farm,
    older: { client: older, user: userOf(older) },
    newer: { client: newer, user: userOf(newer) },
    users,
    terms: (vocabulary) => terms.get(vocabulary) ?? [],
    assets: (type) => assets.get(type) ?? [],
    movers: [...animals, ...plants],
    plots,
    areas,
    places,
    groups,
    upload: (kind) => uploads[kind].pop() as FileModel,
    sendFiles: async () => {
      for (const kind of ['image', 'file'] as const) if (uploads[kind].length === 0) await sendFile(kind)
    },
    shapeOf: (thing) => shapes.get(thing),
  }
}

interface Members {
  readonly attributes?: object
  readonly relationships?: object
}

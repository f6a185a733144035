import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { root } from '../house/tree.ts'
import { type Example, Page, paste, type Terminal } from '../pages/page.ts'

/** A folder in which the packages are installed that docs/openapi.md names. */
async function projectFolder(): Promise<string> {
  const folder = await emptyDirectory()
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['openapi-fetch', '@types/node']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(join(root, 'test/typed-client/node_modules/.bin'), join(folder, 'node_modules/.bin'))
  return folder
}

/** Programs that a typed client has to accept, and lines in them that it has to refuse. */
const typing = `
import createClient from 'openapi-fetch'
import type { components, paths } from './farm.d.ts'

const farm = createClient<paths>({ baseUrl: '' })
type Schemas = components['schemas']

export function told(log: Schemas['log'], asset: Schemas['farm_asset'], term: Schemas['taxonomy_term']) {
  if (log.type === 'farm_seeding') {
    const source: string | null = log.seed_source
    // @ts-expect-error a seeding has no area of its own
    log.area
    return source
  }
  if (asset.type === 'animal') return asset.animal_sex
  // @ts-expect-error only animals have one
  asset.animal_sex
  return 'area_type' in term ? term.area_type : term.vocabulary.id
}

export const right: Schemas['BatchOperation'][] = [
  { method: 'POST', path: '/log', body: { name: 'Weed', type: 'farm_activity', timestamp: 1 } },
  { method: 'DELETE', path: '/farm_asset/5' },
]
export const wrong: Schemas['BatchOperation'][] = [
  // @ts-expect-error a log needs a time
  { method: 'POST', path: '/log', body: { name: 'Weed', type: 'farm_activity' } },
  // @ts-expect-error an asset is no log
  { method: 'POST', path: '/log', body: { name: 'Dolly', type: 'animal', animal_type: { name: 'Sheep' } } },
  // @ts-expect-error a removal names its record
  { method: 'DELETE' },
]

export async function asked(log: Schemas['log']) {
  await farm.GET('/log/{id}.json', { params: { path: { id: log.id } } })
  await farm.GET('/log.json', { params: { query: { 'timestamp[ge]': 1, 'timestamp[lt]': '2', 'name[ct]': ['kale'] } } })
  // @ts-expect-error there is no such filter
  await farm.GET('/log.json', { params: { query: { 'timestamp[after]': 1 } } })
  // @ts-expect-error there is no such address
  await farm.GET('/logs.json')
}

export async function newer(uuid: string) {
  const { data: page } = await farm.GET('/api/log/harvest', { params: { query: { sort: '-timestamp' } } })
  for (const harvest of page?.data ?? []) {
    const name: string | null | undefined = harvest.attributes.name
    // @ts-expect-error a harvest has no seed source
    harvest.attributes.seed_source
    console.log(name, harvest.attributes.lot_number, harvest.relationships?.quantity?.data)
  }
  const { data: animal } = await farm.GET('/api/asset/animal/{uuid}', { params: { path: { uuid } } })
  const sex: string | null | undefined = animal?.data.attributes.sex
  // @ts-expect-error there is no such type
  await farm.GET('/api/log/nonsense')
  const { data: changes } = await farm.GET('/changes', { params: { query: { since: '0' } } })
  const cursor: string | undefined = changes?.next
  // @ts-expect-error the stream has no pages
  const page2: { next: string } | undefined = (await farm.GET('/changes/events', { params: { query: {} } })).data
  return [sex, cursor, page2]
}
`

let client: Client
let page: Page
let terminal: Terminal
let screen: string
let before: readonly string[]

const named = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name)

beforeAll(async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  client = await farm.login('worker')
  await client.create('farm_asset', { name: 'Earlier', type: 'group' })
  await client.create('log', { name: 'Earlier', type: 'farm_activity', timestamp: 1 })
  before = named((await client.read('/log.json')).list)
  page = new Page('docs/openapi.md')
  terminal = { folder: await projectFolder(), env: { FARM: farm.base, TOKEN: client.login?.token ?? '' } }
  screen = await paste(page.take(), terminal)
  // Generator and compiler take their time on a small machine.
}, 400_000)

describe('a client that is generated from /openapi.json', () => {
  test('creates, finds, changes and removes records as docs/openapi.md shows', async () => {
    expect(page.left).toEqual([])
    expect(screen).toContain('First cut C-1 12.50')
    expect(screen).toContain('[ 201, 201, 200, 200 ]')
    expect(named((await client.read('/log.json')).list)).toEqual(before)
    const { list } = await client.read('/farm_asset.json')
    expect(named(list)).toEqual(['Earlier', 'Chard 2026', 'Geese'])
    expect(list[2].flags).toEqual(['monitor'])
  })

  test('knows the types of records apart, and what a filter and a batch may be', async () => {
    await writeFile(join(terminal.folder ?? '', 'typing.mts'), typing)
    // The page compiles by TypeScript 5, which the generator needs; what it has generated is for any.
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const code = `node '${compiler}' --ignoreConfig --strict --skipLibCheck --noEmit --module nodenext typing.mts\n`
    const check: Example = { language: 'sh', name: '', code }
    expect(await paste([check], terminal)).not.toContain('error')
  })
})

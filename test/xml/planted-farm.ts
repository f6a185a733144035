import { recordTypeNames } from '../../src/farm/fields-of.ts'
import type { Client, Json } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'
import { interfaceFarm, resourceOf } from '../records/interface-types.ts'
import type { Ground } from './record-bodies.ts'

const pixel = 'data:image/png;base64,iVBORw0KGgo='

/** Two records of every asset type and vocabulary, and a photo, for new records to refer to. */
export async function plantFarm(farm: FarmUnderTest, client: Client): Promise<Ground> {
  const older = interfaceFarm(farm.installation.farm)
  const { records } = older
  const vocabularies = new Map<string, string>()
  for (const { machine_name, vid } of (await client.read('/taxonomy_vocabulary.json')).list)
    vocabularies.set(machine_name, vid)
  const ids = new Map<string, string[]>()
  const plant = async (type: 'asset' | 'term', bundle: string) => {
    const required = { crop: [{ name: 'Kale' }], animal_type: { name: 'Sheep' } }
    const wanted = Object.entries(required).filter(([name]) => records[type].bundles[bundle]?.fields[name]?.required)
    const own = type === 'term' ? { vocabulary: vocabularies.get(bundle) } : { type: bundle }
    const body = { name: `${bundle} & <co>`, ...own, ...Object.fromEntries(wanted) }
    const create = (one: object) => client.create(resourceOf[type], one)
    ids.set(`${type} ${bundle}`, [await create(body), await create(body)])
  }
  for (const type of recordTypeNames) {
    if (type !== 'log') for (const bundle of Object.keys(records[type].bundles)) await plant(type, bundle)
  }
  await client.create('farm_asset', { name: 'Photographed', type: 'equipment', images: [pixel], files: [pixel] })
  const photographed = (await client.read('/farm_asset.json?name=Photographed')).list[0]
  const users = (await client.read('/user.json')).list.map((user: Json) => user.uid)
  return { farm: older, ids, vocabularies, users, files: photographed.images }
}

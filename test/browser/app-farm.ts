import type { Client } from '../harness/client.ts'

const day = 86_400

export interface SmallFarm {
  readonly hill: string
  readonly byre: string
  readonly herd: string
  readonly rosa: string
  readonly move: string
}

/** Two places, a herd of one, a move, something to do, and what is too old or archived. */
export async function plantSmallFarm(client: Client): Promise<SmallFarm> {
  const now = Math.floor(Date.now() / 1000)
  const area = (name: string, more: object) =>
    client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'paddock', ...more })
  const log = (name: string, more: object) =>
    client.create('log', { name, type: 'farm_activity', timestamp: now - 9 * day, done: '1', ...more })
  const hill = await area('Hill', { geofield: 'POINT (7 50)' })
  const byre = await area('Byre', {})
  const herd = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  const animal = { type: 'animal', animal_type: { name: 'Cow' } }
  const rosa = await client.create('farm_asset', { name: 'Rosa', ...animal, tag: [{ id: 'DE 117' }] })
  await client.create('farm_asset', { name: 'Sold long ago', ...animal, archived: now - 500 * day })
  await log('Rosa joins the herd', { asset: [{ id: rosa }], membership: { group: [{ id: herd }] } })
  const move = await log('Herd to Hill', { asset: [{ id: herd }], movement: { area: [{ id: hill }] } })
  await log('Mend the fence', { timestamp: now - 2 * day, done: '0', area: [{ id: hill }] })
  await log('Before the flood', { timestamp: now - 500 * day, asset: [{ id: rosa }] })
  return { hill, byre, herd, rosa, move }
}

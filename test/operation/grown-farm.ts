import { expect } from 'vitest'
import type { FarmUnderTest } from '../harness/farm.ts'

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Records something of everything: areas, animals, a group, movements, inventory, files, a change and a removal. */
export async function growFarm(farm: FarmUnderTest): Promise<{ readonly animals: string[]; readonly area: string }> {
  const client = await farm.login('manager')
  const area = await client.create('taxonomy_term', {
    name: 'Nördliche Wiese',
    vocabulary: 'farm_areas',
    area_type: 'field',
    geofield: [{ geom: 'POINT(1 2)' }],
  })
  const group = await client.create('farm_asset', { name: 'Herd', type: 'group' })
  const animals: string[] = []
  for (const name of ['Berta', 'Emma']) {
    animals.push(
      await client.create('farm_asset', { name, type: 'animal', animal_type: { name: 'Cow' }, images: [png] }),
    )
  }
  for (const [day, name] of ['Out', 'In', 'Out again'].entries()) {
    await client.create('log', {
      name,
      type: 'farm_activity',
      timestamp: 1_600_000_000 + day * 86_400,
      done: 1,
      asset: animals,
      movement: { area: [area], geometry: day === 1 ? 'POINT(3 4)' : null },
      membership: { group: [group] },
      inventory: [{ asset: animals[0], value: '2.50' }],
      quantity: [{ measure: 'weight', value: '12.0', unit: { name: 'kg' }, label: 'Hay' }],
      notes: `Day ${day} with "quotes" \u2028 and 🐄`,
      files: [`data:text/plain;base64,${Buffer.from('x'.repeat(300_000 + day)).toString('base64')}`],
    })
  }
  const passing = await client.create('log', { name: 'Passing', type: 'farm_observation', timestamp: 1_600_000_000 })
  const changes = [
    await client.put(`/log/${passing}`, { name: 'Passed' }),
    await client.delete(`/log/${passing}`),
    await client.put(`/farm_asset/${animals[0]}`, { name: 'Berta the gentle' }),
  ]
  expect(changes.map(({ status }) => status)).toEqual([200, 200, 200])
  return { animals, area }
}

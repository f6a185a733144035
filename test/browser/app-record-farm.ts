import type { Client } from '../harness/client.ts'

export const day = 86_400

/** Milkers of two cows that went from Hill 1 to North 3, one of them weighed and treated; a field with a bed; a gate with a photo. */
export interface HillFarm {
  readonly now: number
  readonly north: string
  readonly hill: string
  readonly milkers: string
  readonly cow: string
  readonly calf: string
  readonly toNorth: string
  readonly hostile: string
}

const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='

export async function plantHillFarm(client: Client): Promise<HillFarm> {
  const now = Math.floor(Date.now() / 1000)
  const area = (name: string, geofield: string) =>
    client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'paddock', geofield })
  const log = (name: string, daysAgo: number, more: object) =>
    client.create('log', {
      name,
      type: 'farm_activity',
      timestamp: now - Math.round(daysAgo * day),
      done: '1',
      ...more,
    })
  const north = await area('North 3', square(7, 50))
  const hill = await area('Hill 1', square(7.003, 50))
  const milkers = await client.create('farm_asset', { name: 'Milkers', type: 'group' })
  const animal = { type: 'animal', animal_type: { name: 'Dairy cow' } }
  const cow = await client.create('farm_asset', {
    ...animal,
    name: '117',
    tag: [{ id: 'DE 01 117', location: 'Left ear' }],
  })
  const other = await client.create('farm_asset', { ...animal, name: '118' })
  const calf = await client.create('farm_asset', { ...animal, name: '188', parent: [{ id: cow }] })
  const herd = [cow, other].map((id) => ({ id }))
  const all = [...herd, { id: milkers }]
  const heifers = await client.create('farm_asset', { name: 'Heifers', type: 'group' })
  await log('Grows up with the Heifers', 130, { asset: [{ id: cow }], membership: { group: [{ id: heifers }] } })
  const lately = Array.from({ length: 14 }, (_, daysAgo) => daysAgo + 1)
  await Promise.all(lately.map((daysAgo) => log('Heifers fed', daysAgo, { asset: [{ id: heifers }] })))
  await log('Form the Milkers', 100, { asset: herd, membership: { group: [{ id: milkers }] } })
  await log('Milkers to Hill 1', 60, { asset: all, movement: { area: [{ id: hill }] } })
  const toNorth = await log('Milkers to North 3', 9, { asset: all, movement: { area: [{ id: north }] } })
  await log('To North 3 as a calf', 700, { asset: [{ id: cow }], movement: { area: [{ id: north }] } })
  await log('Milkers at the vet', 150, { asset: [{ id: milkers }] })
  await log('Milked', 5, { asset: [{ id: milkers }], quantity: [amount('volume', '884', 'litres')] })
  for (const [daysAgo, kilograms] of [
    [80, '598'],
    [50, '612'],
    [20, '648'],
  ] as const)
    await log('Weighed', daysAgo, { asset: [{ id: cow }], quantity: [amount('weight', kilograms, 'kg')] })
  await log('Milk withheld', -2, { type: 'farm_medical', done: '0', asset: [{ id: cow }] })
  await log('Calved long ago', 500, { asset: [{ id: cow }] })
  const hostile = await log('<img src=x onerror=alert(1)>', 4, {
    ...hostileNote,
    asset: [{ id: cow }],
    area: [{ id: north }],
    images: [gif],
    files: ['data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='],
  })
  return { now, north, hill, milkers, cow, calf, toNorth, hostile }
}

const hostileNote = {
  notes:
    '<p>Gate <b>open</b><script>document.title="owned"</script></p><a href="javascript:alert(1)">press</a> <a href="https://vet.example/a">the vet</a><img src=x onerror="document.title=\'owned\'">',
}

const amount = (measure: string, value: string, unit: string) => ({ measure, value, unit: { name: unit } })

function square(longitude: number, latitude: number): string {
  const [east, north] = [longitude + 0.002, latitude + 0.0015]
  return `POLYGON ((${longitude} ${latitude}, ${east} ${latitude}, ${east} ${north}, ${longitude} ${north}, ${longitude} ${latitude}))`
}

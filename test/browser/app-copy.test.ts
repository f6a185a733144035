import { expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import { openDeviceFor, type StoredRow, saysInTheStrip, stored } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { plantSmallFarm } from './app-farm.ts'
import { onePerEngine } from './one-per-engine.ts'

const usual = 'postgres'

const smallFarm = onePerEngine(async (engine) => {
  const farm = await openFarm({ engine })
  const manager = await farm.login()
  return { farm, manager, planted: await plantSmallFarm(manager) }
})

/** A device that somebody has logged in on, and nothing else. */
async function newDevice(engine: Engine = usual) {
  const opened = await smallFarm(engine)
  return { ...opened, device: await openDeviceFor(opened.farm, opened.manager.login) }
}

const loadedDevice = onePerEngine(async (engine) => {
  const opened = await newDevice(engine)
  return { ...opened, page: await opened.device.openLoaded() }
})

test.each(atLeastOn(usual))(
  '%s: the first load brings what the app shows, and leaves out what it can ask for',
  async (engine) => {
    const { manager, planted, device, page } = await loadedDevice(engine)
    const records = await stored(page, 'record')
    const named = (type: string) => records.filter((row) => row.type === type).map(({ name }) => name)
    expect(named('asset').sort()).toEqual(['Herd', 'Rosa', 'Sold long ago'])
    expect(named('log').sort()).toEqual(['Herd to Hill', 'Mend the fence', 'Rosa joins the herd'])
    expect(named('term')).toEqual(expect.arrayContaining(['Byre', 'Hill', 'Cow']))
    expect(JSON.stringify(records)).not.toMatch(/"(?:uri|url|resource)":/)

    const one = (name: string) => records.find((row) => row.name === name) as StoredRow
    const { id, uuid, version } = await manager.read(`/log/${planted.move}.json?with=uuid,version`)
    expect(one('Herd to Hill')).toMatchObject({ id, uuid, version, type: 'log', bundle: 'farm_activity' })
    expect(one('Herd to Hill').fields).toMatchObject({
      done: '1',
      asset: [{ id: planted.herd }],
      movement: { area: [{ id: planted.hill, name: 'Hill' }] },
    })
    expect(one('Hill')).toMatchObject({ bundle: 'farm_areas', fields: { geofield: [{ geom: 'POINT (7 50)' }] } })
    expect(Object.keys(one('Sold long ago').fields)).toEqual(['archived'])

    const stays = await stored<{ kind: string; asset: string; stays: unknown[] }>(page, 'stay')
    expect(stays).toEqual(
      expect.arrayContaining([
        {
          kind: 'movement',
          asset: planted.herd,
          stays: [expect.objectContaining({ place: planted.hill, placeType: 'area', log: planted.move, until: null })],
        },
        {
          kind: 'membership',
          asset: planted.rosa,
          stays: [expect.objectContaining({ place: planted.herd, placeType: 'asset', until: null })],
        },
      ]),
    )
    const token = (await page.evaluate('fetch("/me.json").then((answer) => answer.json())')) as { csrf_token: string }
    expect(JSON.stringify(await stored(page, 'meta'))).not.toContain(token.csrf_token)
    expect(device.complaints).toEqual([])
  },
)

test('Today is there after eight requests', async () => {
  const { device } = await newDevice()
  // What comes after those that Today needs never arrives.
  const needed =
    /^\/(?:app\/|me\.json|catalogue\.json|changes$|log\.json.*done=0|log\.json.*limit=40&|farm_asset.*archived=0|taxonomy_term)/
  device.line.fate = ({ url = '' }) => (needed.test(url) ? 'pass' : 'cut')
  const page = await device.open()
  await page.getByText('Mend the fence').first().waitFor()
  const first = device.line.asked.filter((line) => !/\/(?:app|user)\//.test(line)).slice(0, 8)
  expect(first.filter((line) => needed.test(line.slice('GET '.length)))).toHaveLength(7)
})

test('a first load that was cut off goes on where it was', async () => {
  const { device } = await newDevice()
  device.line.fate = ({ url = '' }) => (url.startsWith('/stays') ? 'cut' : 'pass')
  const killed = await device.open()
  await saysInTheStrip(killed, /^Offline/)
  await killed.close()

  device.line.fate = () => 'pass'
  device.line.asked.length = 0
  const page = await device.openLoaded()
  expect(
    device.line.asked.filter((line) => /\.json\?.*(?:done|archived)|GET \/taxonomy_term|GET \/changes$/.test(line)),
  ).toEqual([])
  expect((await stored(page, 'record')).filter(({ type }) => type === 'log')).toHaveLength(3)
  expect(await stored(page, 'stay')).toHaveLength(2)
})

const logNamed = (client: Client, name: string) =>
  client.create('log', { type: 'farm_activity', name, timestamp: Math.floor(Date.now() / 1000) - 60, done: '1' })

test.each(atLeastOn(usual))('%s: what others change, move and remove is seen while one looks', async (engine) => {
  const { manager, planted, device, page } = await loadedDevice(engine)
  await expect.poll(() => device.line.streams).toBe(1)

  const added = await logNamed(manager, 'Seen a hare')
  await page.getByText('Seen a hare').waitFor()
  await manager.put(`/log/${added}`, { name: 'Seen two hares' })
  await page.getByText('Seen two hares').waitFor()
  await manager.delete(`/log/${added}`)
  await page.getByText('Seen two hares').waitFor({ state: 'detached' })

  // Made and removed within a moment: both are told of together.
  for (let round = 0; round < 5; round += 1) await manager.delete(`/log/${await logNamed(manager, 'Gone at once')}`)
  await logNamed(manager, 'Told of last')
  await page.getByText('Told of last').waitFor()
  expect((await stored(page, 'record')).filter(({ name }) => name === 'Gone at once')).toEqual([])

  await manager.delete(`/log/${planted.move}`)
  const placesOf = async (asset: string) => {
    const rows = await stored<{ kind: string; asset: string; stays: { place: string }[] }>(page, 'stay')
    return rows.filter((row) => row.kind === 'movement' && row.asset === asset).flatMap(({ stays }) => stays)
  }
  await expect.poll(() => placesOf(planted.herd)).toEqual([])
  expect(device.complaints).toEqual([])
})

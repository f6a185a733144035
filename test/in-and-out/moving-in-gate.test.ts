import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StoragePlace } from '../../src/storage/open.ts'
import { furrow, type Outcome } from '../cli/built-furrow.ts'
import { farmos } from '../farmos-server/client.ts'
import { type Accident, withAccidents } from '../farmos-server/farms/accidents.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { at, moveIn, plainHillFarm, served } from './moving-in.ts'

const engine = engineUnderTest()

describe('what a farmOS 1.x let in and this farm would refuse', () => {
  let place: StoragePlace
  let outcome: Outcome
  let ids: Record<Accident, number>
  let client: Client
  let listed: string

  beforeAll(async () => {
    const farm = plainHillFarm()
    farm.tellsOfBlockedAccounts = false
    ids = withAccidents(farm)
    const server = await farmos(farm)
    place = await emptyPlace(engine)
    await furrow(['user', 'add', 'Hanna', '--role', 'manager', '--password-stdin', ...at(place)], {
      input: 'green fields',
    })
    outcome = await moveIn(server.address, place)
    const [report = ''] = (await readdir(place.data)).filter((name) => name.endsWith('-report.txt'))
    listed = readFileSync(join(place.data, report), 'utf8')
    const moved = await served(place)
    // What was let in there is outside of what the interface promises here.
    client = new Client(moved.farm.base.replace('127.0.0.1', 'localhost'), {
      authorization: `Bearer ${moved.client.login.token}`,
    })
  })

  const log = async (accident: Accident): Promise<Json> => (await client.get(`/log/${ids[accident]}.json`)).body
  const asset = async (accident: Accident): Promise<Json> =>
    (await client.get(`/farm_asset/${ids[accident]}.json`)).body
  const term = async (accident: Accident): Promise<Json> =>
    (await client.get(`/taxonomy_term/${ids[accident]}.json`)).body

  it('is listed, and what could not be read is told as lost', () => {
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(1)
    expect(listed.match(/^lost: .*/gm)).toEqual([
      expect.stringContaining(`log ${ids.fileElsewhere}, images[0] is a file that could not be read`),
    ])
    for (const [accident, what] of [
      ['namelessAsset', 'has no name'],
      ['plantingWithoutCrop', 'is required here'],
      ['animalWithoutType', 'is required here'],
    ] as const)
      expect(listed).toMatch(new RegExp(`^changed: asset ${ids[accident]}\\b.*${what}`, 'm'))
    for (const [accident, what] of [
      ['seedingOfAnimal', 'another type than is allowed here'],
      ['seedingOfNothing', 'is required here'],
      ['danglingAsset', 'refers to what is not there'],
      ['danglingTerm', 'refers to what is not there'],
      ['danglingUnit', 'refers to what is not there'],
      ['danglingFile', 'refers to what is not there'],
      ['foreignMeasure', 'a word that is not in the list here'],
      ['badGeometry', 'no valid WKT'],
      ['noGeometry', 'no valid WKT'],
      ['badMovement', 'no valid WKT'],
      ['textAmongImages', 'a file among its images that is none'],
      ['sameTwice', 'the same thing twice'],
      ['controlCharacters', 'lot_number has control characters'],
      ['controlCharacters', 'quantity\\[0\\].label has control characters'],
      ['controlCharacters', 'notes has control characters'],
      ['controlCharacters', 'name has control characters'],
      ['otherFormat', 'notes has a text format that is not kept here \\(full_html\\)'],
    ] as const)
      expect(listed).toMatch(new RegExp(`^changed: log ${ids[accident]}\\b.*${what}`, 'm'))
    expect(listed).toMatch(new RegExp(`^changed: term ${ids.escapedTerm} .*HTML entities`, 'm'))
    expect(listed).toMatch(new RegExp(`^changed: term ${ids.foreignAreaType}, area_type uses a word`, 'm'))
    expect(listed).not.toMatch(/^[^\n]*[^\P{C}\n]/mu)
    expect(listed).toMatch(/^elsewhere: file \d+ has a description .*The lease/m)
    expect(listed).toMatch(/^changed: account 5 is not told/m)
    expect(listed).toMatch(/^changed: account 3 \(hanna\) is called hanna \(farmOS\) here/m)
    expect(listed).toMatch(/^changed: file \d+ has another size/m)
    expect(listed).toMatch(new RegExp(`^changed: asset ${ids.circle}, parent lies in itself`, 'm'))
  })

  it('has "(no name)" and "(unknown)" in the place of what is missing', async () => {
    expect(await asset('namelessAsset')).toMatchObject({ name: '(no name)' })
    expect(await term('namelessTerm')).toMatchObject({ name: '(no name)' })
    expect(await asset('plantingWithoutCrop')).toMatchObject({ crop: [{ name: '(unknown)' }] })
    expect(await asset('animalWithoutType')).toMatchObject({ animal_type: { name: '(unknown)' } })
  })

  it('is kept as it is where that does no harm', async () => {
    expect((await log('foreignMeasure')).quantity).toEqual([{ measure: 'brix', value: '12.1', label: 'sweet' }])
    expect(await term('foreignAreaType')).toMatchObject({ area_type: 'moor' })
    expect(await term('escapedTerm')).toMatchObject({ name: 'A &amp; B' })
    const seeding = await log('seedingOfAnimal')
    expect(seeding.asset).toHaveLength(1)
    expect(await log('blockedOwner')).toMatchObject({ uid: { id: '5' }, log_owner: [{ id: '5' }, { id: '3' }] })
    expect(await log('authorGone')).toMatchObject({ uid: { id: '0' }, log_owner: [] })
    expect(await log('timeZero')).toMatchObject({ timestamp: '0', created: '0' })
    expect((await log('textAmongImages')).images).toEqual([expect.stringMatching(/^data:text\/plain;/)])
    expect((await log('emptyFile')).files).toEqual([expect.stringMatching(/;base64,$/)])
  })

  it('has spaces in the place of control characters', async () => {
    expect(await log('controlCharacters')).toMatchObject({
      name: 'Two lines  ',
      lot_number: 'L 1',
      notes: { value: 'Bell  and nothing ', format: 'farm_format' },
      quantity: [{ measure: 'weight', value: '4', label: 'tab bed' }],
    })
    expect(await log('otherFormat')).toMatchObject({ notes: { value: 'Written as HTML', format: 'farm_format' } })
  })

  it('stands as text among the data where it cannot be kept', async () => {
    expect(await log('danglingAsset')).toMatchObject({ asset: [], data: 'From farmOS, as text:\nasset[0]: asset 9001' })
    expect((await log('danglingTerm')).data).toBe(
      'From farmOS, as text:\narea[0]: term 9002\nlog_category[0]: term 9003\nmovement.area[0]: term 9002',
    )
    expect((await log('danglingTerm')).movement).toEqual({ area: [], geometry: 'POINT (7 51)' })
    expect((await log('badGeometry')).data).toContain('geofield[0]: POLYGON ((7 51, 7 52, 8 52))')
    expect((await log('noGeometry')).data).toContain('behind the barn')
    expect((await log('fileElsewhere')).data).toContain('http://elsewhere.example/elsewhere.png')
  })

  it('lets those who were here before log in as before, under a number above all of theirs', async () => {
    const { stdout } = await furrow(['user', 'list', ...at(place)])
    expect(stdout).toMatch(/^9006 +Hanna +manager/m)
  })

  it('leaves a sound farm', async () => {
    const { stdout } = await furrow(['doctor', ...at(place)])
    expect(stdout).toBe('Everything is as it should be.\n')
  })
})

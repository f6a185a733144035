import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { faultsOf, results, taken } from './sheet-client.ts'

/** What happens once a sheet was checked, and before its write begins. */
let between: (() => Promise<void>) | undefined
let ada: Client

const around = (database: Database): Database => ({
  ...database,
  write: async (work) => {
    const now = between
    between = undefined
    await now?.()
    return database.write(work)
  },
})

beforeAll(async () => {
  const farm = await openFarm({ around })
  ada = await farm.login('worker')
})

beforeEach(() => {
  between = undefined
})

describe('what has changed since a sheet was checked', () => {
  const animal = (name: string) => ada.create('farm_asset', { name, type: 'animal', animal_type: [{ name: 'Cow' }] })

  test('is told of a record that another has changed meanwhile', async () => {
    const id = await animal('Bella')
    const { text } = await ada.get('/farm_asset.csv?name=Bella&fields=uuid,version,name')
    between = async () => {
      expect((await ada.put(`/farm_asset/${id}`, { name: 'Bella the second' })).status).toBe(200)
    }
    expect(await faultsOf(ada, '/farm_asset', text.replace('Bella', 'Bellina'))).toEqual([
      `2 version: asset ${id} has changed since; read it again, or send the sheet with overwrite=1`,
    ])
    expect((await ada.read(`/farm_asset/${id}`)).name).toBe('Bella the second')
  })

  test('is told of a name that two have meanwhile', async () => {
    await animal('Rosa')
    between = async () => {
      await animal('Rosa')
    }
    const sheet = 'name,timestamp,asset\nMilked,2024-05-01T08:00,Rosa\n'
    expect(await faultsOf(ada, '/log?type=farm_activity', sheet)).toEqual([
      expect.stringMatching(/^2 asset: "Rosa" may be one of several/),
    ])
  })

  test('is no matter where it is about something else', async () => {
    await animal('Wilma')
    between = async () => {
      await animal('Another')
    }
    const sheet = 'name,timestamp,asset\nMilked,2024-05-01T08:00,Wilma\nFed,2024-05-01T09:00,Wilma\n'
    expect(results(await taken(ada, '/log?type=farm_activity', sheet))).toEqual(['created', 'created'])
  })
})

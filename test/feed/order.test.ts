import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import type { Client } from '../harness/client.ts'
import { engines, placeWithTables } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { listen, poll } from './reader.ts'

const writersOfServer = 8
const changesOfWriter = rounds({ short: 12, long: 625 })
const longestPause = { sqlite: 2, postgres: 60 }

/** Lets time pass between a write and its commit, so that others overtake it. */
const hesitant = (database: Database): Database => ({
  ...database,
  write: (work) =>
    database.write(async (tx) => {
      const done = await work(tx)
      await sleep(Math.random() ** 3 * longestPause[database.engine])
      return done
    }),
})

/** Makes, changes and removes logs, its own and those of others. */
async function write(client: Client, ids: string[], from: number): Promise<void> {
  const anyOf = () => ids[Math.floor(Math.random() * ids.length)]
  for (let turn = from; turn < from + changesOfWriter; turn++) {
    const [dice, id] = [Math.random(), anyOf()]
    if (dice < 0.45 || id === undefined)
      ids.push(await client.create('log', { type: 'farm_activity', name: `Log ${turn}`, timestamp: 1_700_000_000 }))
    else if (dice < 0.85) await client.put(`/log/${id}`, { name: `Changed ${turn}` })
    else await client.delete(`/log/${id}`)
  }
}

/** What became of every log, by the tables themselves. */
async function truth({ installation }: FarmUnderTest): Promise<Map<string, string>> {
  return installation.database.read(async (snapshot) => {
    const entries = await snapshot
      .selectFrom('journal')
      .select(['record_id', 'verb', 'revision'])
      .where('record_type', '=', 'log')
      .orderBy('revision')
      .execute()
    return new Map(
      entries.map(({ record_id, verb, revision }) => [
        `log ${record_id}`,
        `${verb === 'remove' ? 'gone' : 'there'} at ${revision}`,
      ]),
    )
  })
}

test.each(engines)(
  '%s: whoever reads the feed of two servers misses nothing, and nothing is told out of order',
  async (engine) => {
    const place = await placeWithTables(engine)
    const first = await openFarm({ engine, place, around: hesitant })
    const second = await openFarm({ engine, place, around: hesitant })
    const clients = [await first.login('manager'), await second.login('manager')]
    const cursor = (await (clients[0] as Client).read('/changes')).next
    const readers = clients.flatMap((client) => [
      poll(client, cursor),
      poll(client, cursor),
      listen(client, cursor, () => Number.POSITIVE_INFINITY),
      listen(client, cursor, () => 50 + Math.random() * 300),
    ])
    const ids: string[] = []
    await Promise.all(
      clients.flatMap((client, server) =>
        Array.from({ length: writersOfServer }, (_, n) =>
          write(client, ids, (server * writersOfServer + n) * changesOfWriter),
        ),
      ),
    )
    await Promise.all(readers.map((reader) => reader.stop()))
    const expected = await truth(first)
    expect(expected.size).toBeGreaterThan(changesOfWriter)
    for (const { belief } of readers) {
      expect(belief.faults).toEqual([])
      expect(belief.states).toEqual(expected)
    }
  },
  rounds({ short: 300_000, long: 1_800_000 }),
)

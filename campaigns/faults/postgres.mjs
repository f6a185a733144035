import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Postgres } from '../ground/postgres.mjs'
import { Farm } from './farm.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

const writers = 6
const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'furrow'`

/**
 * The same oracle on PostgreSQL: connections cut, the database crashed and restarted, the server killed.
 * @param {Campaign} campaign
 */
export async function postgresFaults(campaign) {
  const { place, dice, tell } = campaign
  const postgres = await Postgres.start()
  try {
    const url = await postgres.database('faults')
    const farm = await new Farm(campaign, 'postgres', [
      '--data',
      join(place, 'postgres-data'),
      '--database',
      url,
    ]).start()
    let terminations = 0
    const whileWriting = async (/** @type {string} */ name, /** @type {() => Promise<void>} */ harm) => {
      const before = farm.ledger.acknowledged
      // A commit whose answer was cut off is in doubt: 503 means "ask again".
      const busy = farm.writers(writers, name, { mayDoubt: [503] })
      await farm.untilAcknowledged(50, before)
      await harm()
      return busy
    }
    const settle = async (/** @type {Awaited<ReturnType<typeof whileWriting>>} */ busy) => {
      for (const { writer } of busy) writer.stop()
      await Promise.all(busy.map(({ ended }) => ended))
    }

    const cut = await whileWriting('cut', async () => {
      for (; terminations < 10; terminations++) {
        await postgres.ask(terminate)
        await sleep(dice.roll() * 100)
      }
    })
    await sleep(300)
    await settle(cut)
    await farm.examine('after the connections to PostgreSQL were cut')
    tell('PostgreSQL: connections cut')

    const crashed = await whileWriting('crash', async () => {
      await postgres.crash()
      await sleep(200)
      await postgres.begin()
    })
    await settleAfter(farm.ledger.acknowledged, farm, 5_000, campaign)
    await settle(crashed)
    await farm.examine('after PostgreSQL crashed')
    tell('PostgreSQL: crashed and started again')

    const killed = await whileWriting('kill', () => farm.server.killed())
    await settle(killed)
    await farm.start()
    await farm.examine('after the server on PostgreSQL was killed')
    tell('PostgreSQL: the server killed')
    await farm.stop()
    return { terminations, acknowledged: farm.ledger.acknowledged }
  } finally {
    await postgres.stop()
  }
}

/**
 * Writes must resume by themselves once the database is back.
 * @param {number} before
 * @param {Farm} farm
 * @param {number} milliseconds
 * @param {Campaign} campaign
 */
async function settleAfter(before, farm, milliseconds, { findings }) {
  const until = performance.now() + milliseconds
  while (farm.ledger.acknowledged < before + 10 && performance.now() < until) await sleep(20)
  findings.check(farm.ledger.acknowledged > before, 'after PostgreSQL came back nothing was written for 5 seconds')
}

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../campaigns/ground/client.mjs'
import { planFarm } from './farm.mjs'
import { startOnPostgres, startOnSqlite } from './farms.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { rounded, table, when, writeSection } from './report.mjs'
import { engineNames, importsSection } from './sections.mjs'
import { mapOfParcels, sheetOfGroups, sheetOfHarvests, sheetOfNames } from './sheets-and-maps.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {{ name: string, path: string, type: string, body: string }} Sending
 * @typedef {{ work: string, engine: string, seconds: number, cpuSeconds: number | null, writer: number, reader: number, allowed: number }} Taken
 */

const rowCount = 10_000
const polygonCount = 30_000
const longest = { sheet: 15, map: 60, writer: 5, reader: 1 }
const sheet = 'text/csv'
/** Other requests come now and then: their own CPU time should not matter. */
const pause = 20

/**
 * Measures sheets and maps sent by POST, and the waiting of others meanwhile: one writes logs, one reads one.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function measureTakingIn(dist, wishes, place) {
  const planted = join(place, 'planted')
  await plant(dist, planted, planFarm(10_000))
  /** @type {Taken[]} */
  const all = []
  for (const engine of wishes.engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const target =
      postgres === undefined
        ? await startOnSqlite(dist, { name: engine, planted, place, nodeOptions: wishes.profiling })
        : await startOnPostgres(dist, { name: engine, planted, postgres })
    try {
      for await (const taken of takenBy(target, wishes.wants)) all.push(taken)
    } finally {
      await target.running.stop()
      await postgres?.stop()
    }
  }
  const text = table([headings, ...all.map(spelled)], 2)
  console.log(text)
  if (wishes.isWhole) {
    const rows = all.map(({ allowed, ...taken }) => ({
      ...taken,
      title: titleOf(taken),
      isMissed: taken.seconds > allowed,
    }))
    writeSection('Taking sheets and maps in', importsSection(rows, { allowed: longest, when: when() }))
  }
  return { missed: all.flatMap(missedBy), figures: { taken: all } }
}

/** @param {Target} target @param {(name: string) => boolean} wants @returns {AsyncGenerator<Taken>} */
async function* takenBy(target, wants) {
  const client = new Client(target.running.port, target.token)
  const seconds = longest.sheet
  await sent(client, { name: 'groups', path: '/farm_asset?type=group', type: sheet, body: sheetOfGroups(300) })
  if (wants('sheet')) {
    const made = sheetOfHarvests(rowCount)
    const path = '/log?type=farm_harvest'
    const { rows, ...first } = await besideOthers(target, {
      name: 'new logs',
      path,
      type: sheet,
      body: made,
      allowed: seconds,
    })
    yield first
    const renamed = sheetOfNames(rows.map(({ uuid }) => uuid))
    for (const name of ['changed logs', 'unchanged logs']) {
      const { rows: _, ...again } = await besideOthers(target, {
        name,
        path: '/log',
        type: sheet,
        body: renamed,
        allowed: seconds,
      })
      yield again
    }
  }
  if (wants('map')) {
    const map = { path: '/taxonomy_term?far=ok', type: 'application/geo+json', body: mapOfParcels(polygonCount) }
    const { rows: _, ...parcels } = await besideOthers(target, { name: 'polygons', ...map, allowed: longest.map })
    yield parcels
  }
  client.close()
}

/** @param {Client} client @param {Sending} sending @returns {Promise<{ uuid: string }[]>} */
async function sent(client, { name, path, type, body }) {
  const answer = await client.send('POST', path, { body, type, timeout: 600_000 })
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text.slice(0, 2000)}`)
  return answer.body.rows
}

/** @param {Target} target @param {Sending & { allowed: number }} sending */
async function besideOthers({ name: engine, running, token }, { allowed, ...sending }) {
  const [client, others] = [new Client(running.port, token), new Client(running.port, token)]
  const log = { name: 'Beside', type: 'farm_activity', timestamp: 1_600_000_000 }
  let isOver = false
  /** @param {() => Promise<import('../campaigns/ground/client.mjs').Answer>} ask */
  const longestOf = async (ask) => {
    let most = 0
    for (; !isOver; await sleep(pause)) {
      const began = performance.now()
      const { status, text } = await ask()
      if (status >= 300) throw new Error(`Beside ${sending.name}: ${status} ${text}`)
      most = Math.max(most, performance.now() - began)
    }
    return most / 1000
  }
  const writing = longestOf(() => others.write('POST', '/log', log))
  const reading = longestOf(() => others.get('/log/1.json'))
  const [began, before] = [performance.now(), running.cpuSeconds()]
  const rows = await sent(client, sending)
  const [seconds, after] = [(performance.now() - began) / 1000, running.cpuSeconds()]
  isOver = true
  const [writer, reader] = [await writing, await reading]
  client.close()
  others.close()
  const cpuSeconds = before === null || after === null ? null : after - before
  return { work: sending.name, engine, seconds, cpuSeconds, writer, reader, allowed, rows }
}

const headings = [
  'taken in',
  'server',
  'seconds',
  'CPU s',
  'allowed',
  'longest write beside it, s',
  'longest read beside it, s',
]

/** @param {Pick<Taken, 'work' | 'engine'>} taken */
const titleOf = ({ work, engine }) =>
  `${(work === 'polygons' ? polygonCount : rowCount).toLocaleString('en')} ${work}${engine === 'sqlite' ? '' : `, ${engineNames[engine]}`}`

/** @param {Taken} taken */
const spelled = ({ work, engine, seconds, cpuSeconds, allowed, writer, reader }) => [
  `${work === 'polygons' ? polygonCount : rowCount} ${work}`,
  engine,
  rounded(seconds),
  cpuSeconds === null ? '' : rounded(cpuSeconds),
  `${allowed} ${seconds > allowed ? 'missed' : 'met'}`,
  rounded(writer),
  rounded(reader),
]

/** @param {Taken} taken */
function missedBy({ work, engine, seconds, writer, reader, allowed }) {
  const over = [
    { what: 'in all', is: seconds, most: allowed },
    { what: 'for who writes beside it', is: writer, most: longest.writer },
    { what: 'for who reads beside it', is: reader, most: longest.reader },
  ].filter(({ is, most }) => is > most)
  return over.map(({ what, is, most }) => `${work} on ${engine}: ${rounded(is)} s ${what}, ${most} allowed`)
}

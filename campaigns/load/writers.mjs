import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { addAccount, Client, tokenOf } from '../ground/client.mjs'
import { furrow, serve } from '../ground/furrow.mjs'
import { Postgres } from '../ground/postgres.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

const writers = 400
const readers = 40
const log = { name: 'Weeding', type: 'farm_activity', timestamp: 1_600_000_000 }

/**
 * On both engines: many writers of one log, of many logs and of new ones, with readers beside them, are all answered.
 * @param {Campaign} campaign
 * @param {{ milliseconds: number, figures: Record<string, string | number> }} means
 */
export async function manyWriters(campaign, { milliseconds, figures }) {
  const { dist, place } = campaign
  const data = await mkdtemp(join(place, 'writers-'))
  await writeAtOnce(campaign, { engine: 'SQLite', where: ['--data', data], milliseconds, figures })
  const postgres = await Postgres.start()
  try {
    const where = ['--data', data, '--database', await postgres.database('writers')]
    await writeAtOnce(campaign, { engine: 'PostgreSQL', where, milliseconds, figures })
    const doctor = await furrow(dist, ['doctor', ...where])
    campaign.findings.check(doctor.code === 0, `after many writers the doctor says ${doctor.stdout}${doctor.stderr}`)
  } finally {
    await postgres.stop()
  }
}

/**
 * @param {Campaign} campaign
 * @param {{ engine: string, where: string[], milliseconds: number, figures: Record<string, string | number> }} farm
 */
async function writeAtOnce({ dist, findings, tell }, { engine, where, milliseconds, figures }) {
  await addAccount(dist, where, { name: 'ada', role: 'manager' })
  const server = await serve(dist, where)
  const client = new Client(server.port, await tokenOf(server.port, 'ada'))
  const made = await Promise.all(Array.from({ length: writers }, () => client.write('POST', '/log', log)))
  const ids = made.map(({ body }) => body.id)
  /** @type {Record<string, (nth: number, turn: number) => Promise<import('../ground/client.mjs').Answer>>} */
  const kinds = {
    'of one log': (nth, turn) => client.write('PUT', `/log/${ids[0]}`, { notes: `Row ${nth}, ${turn}` }),
    'of many logs': (nth, turn) => client.write('PUT', `/log/${ids[nth]}`, { notes: `Row ${nth}, ${turn}` }),
    'of new logs': () => client.write('POST', '/log', log),
  }
  for (const [kind, write] of Object.entries(kinds)) {
    const until = performance.now() + milliseconds
    let answers = 0
    let slowest = 0
    /** Once at least, so that all of them are under way together. @param {(turn: number) => Promise<import('../ground/client.mjs').Answer>} ask */
    const again = async (ask) => {
      for (let turn = 0; turn === 0 || performance.now() < until; turn++) {
        const sent = performance.now()
        const { status, text } = await ask(turn)
        findings.check(status === 200 || status === 201, `${engine}, writers ${kind}: ${status} ${text}`)
        answers += 1
        slowest = Math.max(slowest, performance.now() - sent)
      }
    }
    const reading = (/** @type {number} */ nth) =>
      again(() => client.get(nth % 2 ? `/log/${ids[0]}.json` : '/log.json'))
    await Promise.all([
      ...Array.from({ length: writers }, (_, nth) => again((turn) => write(nth, turn))),
      ...Array.from({ length: readers }, (_, nth) => reading(nth)),
    ])
    tell(
      `${writers} writers ${kind} and ${readers} readers on ${engine}: ${answers} answered, the last after ${slowest.toFixed(0)} ms`,
    )
    figures[`${engine} ${kind}`] = answers
  }
  client.close()
  findings.check((await server.stopped()) === 0, `the server did not stop well: ${server.complaints()}`)
}

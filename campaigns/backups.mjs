/** Backs a farm with photos up every hour of a simulated year: npm run backups -- --photos 2000 --kilobytes 1000 --hours 8760 --step 1 */
import { randomFillSync } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addAccount, Client, tokenOf } from './ground/client.mjs'
import { furrow, serve } from './ground/furrow.mjs'
import { campaign } from './ground/wishes.mjs'

const hour = 3600
const first = Date.UTC(2026, 0, 1) / 1000

/** The photos that there are in the end; the first half is there at the beginning. */
const numbers = ['photos', 'kilobytes', 'hours', 'step', 'logs']

const run = () =>
  campaign(
    { name: 'backups', seconds: 14_400, numbers, parts: [] },
    async ({ dist, place, findings, tell, number }) => {
      const [photos, hours, logs] = [number('photos', 2000), number('hours', 8760), number('logs', 20_000)]
      const step = number('step', 1)
      const bytes = number('kilobytes', 1000) * 1000
      const [data, to] = [join(place, 'farm'), join(place, 'backups')]
      const server = await serve(dist, ['--data', data])
      await addAccount(dist, ['--data', data], { name: 'ada', role: 'manager' })
      const farm = new GrowingFarm(server.port, bytes)
      await farm.addLogs(logs)
      await farm.addPhotos(photos / 2)
      tell(`a farm with ${logs} logs and ${photos / 2} photos of ${bytes / 1000} kB`)

      /** @type {(path: string) => Promise<any>} */
      const load = (path) => import(pathToFileURL(join(dist, path)).href)
      const [{ openDatabase }, { backUpInto }, { keepRuleIn }] = await Promise.all(
        ['storage/open.js', 'storage/backup/back-up-into.js', 'storage/backup/backup-store.js'].map(load),
      )
      const database = await openDatabase({ data, database: null })
      const keep = keepRuleIn('7d,4w,12m')
      /** @type {number[]} */
      const times = []
      let written = 0
      for (let nth = 0; nth < hours; nth += step) {
        await farm.addLogs(Math.ceil(step / 4))
        await farm.addPhotos(Math.round(photos / 2 + ((nth + 1) * photos) / 2 / hours) - farm.photos)
        const began = performance.now()
        const made = await backUpInto(database, to, {
          clock: () => first + nth * hour,
          report: () => {},
          keep,
          keys: { recipients: [], passphrase: undefined },
          farmKey: async () => Buffer.alloc(32),
        })
        times.push((performance.now() - began) / 1000)
        written += made.written.bytes
        findings.check(made.damagedLists.length === 0, () => `hour ${nth}: damaged lists ${made.damagedLists}`)
        if ((nth / step) % 50 === 49)
          tell(`${nth} hours: ${mega(await room(to))} MB, the last in ${times.at(-1)?.toFixed(2)} s`)
      }
      farm.close()
      await database.close()
      await server.stopped()
      const inOrder = times.toSorted((one, other) => one - other)
      const back = join(place, 'back')
      const restored = await furrow(dist, ['restore', to, '--data', back])
      findings.check(restored.code === 0, () => `the last backup is not restored: ${restored.stderr}`)
      const kept = (await readdir(join(to, 'backups'))).length
      const figures = {
        hours,
        backups: times.length,
        kept,
        'MB of photos': mega(farm.photos * bytes),
        'MB of the farm': mega((await stat(join(data, 'farm.sqlite'))).size),
        'MB of backups': mega(await room(to)),
        'MB written': mega(written),
        'median seconds': (inOrder[Math.floor(inOrder.length / 2)] ?? 0).toFixed(2),
        'longest seconds': (inOrder.at(-1) ?? 0).toFixed(2),
      }
      await rm(back, { recursive: true, force: true })
      return figures
    },
  )

const mega = (/** @type {number} */ size) => Math.round(size / 1e6)

/** Bytes of all files below a folder. @param {string} folder */
async function room(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let sum = 0
  for (const entry of entries) if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size
  return sum
}

/** Milliseconds: tokens live longer. */
const tokenAge = 60_000

class GrowingFarm {
  photos = 0
  #logs = 0
  #port
  #bytes
  /** @type {Client | null} */
  #client = null
  #since = 0

  /** @param {number} port @param {number} bytes of a photo */
  constructor(port, bytes) {
    this.#port = port
    this.#bytes = bytes
  }

  /** @param {number} count */
  async addLogs(count) {
    for (let left = count; left > 0; left -= 1000) {
      const operations = Array.from({ length: Math.min(left, 1000) }, () => {
        this.#logs += 1
        const body = { name: `Round ${this.#logs}`, type: 'farm_observation', timestamp: first + this.#logs }
        return { method: 'POST', path: '/log', body }
      })
      await this.#sent('/batch', JSON.stringify({ operations }), 'application/json')
    }
  }

  /** Noise, which no compression makes smaller, as photos are. @param {number} count */
  async addPhotos(count) {
    for (let nth = 0; nth < count; nth += 1) {
      const log = 1 + (this.photos % this.#logs)
      await this.#sent(`/log/${log}/images`, randomFillSync(Buffer.alloc(this.#bytes)), 'image/jpeg')
      this.photos += 1
    }
  }

  close() {
    this.#client?.close()
  }

  /** @param {string} path @param {string | Buffer} body @param {string} type */
  async #sent(path, body, type) {
    if (this.#client === null || performance.now() - this.#since > tokenAge) {
      this.#client?.close()
      this.#client = new Client(this.#port, await tokenOf(this.#port, 'ada'))
      this.#since = performance.now()
    }
    const { status, text } = await this.#client.send('POST', path, { body, type })
    if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
  }
}

await run()

import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The app's demo farm, until the build copies it. */
export const demoFile = join(root, 'examples/demo-farm.json')

const today = '2026-06-15'
const day = 86_400
/** Two thirds of what a device keeps: this season and the one before. */
const keptDays = 270
const password = 'green fields 42'

/**
 * Builds the farm of `furrow demo` as a device would have loaded it on its last day: one line per record, without
 * photos. The output is deterministic, so that a test can detect a stale file.
 * @param {string} main The program.
 */
export async function makeDemo(main) {
  const data = await mkdtemp(join(tmpdir(), 'furrow-demo-'))
  const run = promisify(execFile)
  /** @param {readonly string[]} words @param {string} [input] */
  const furrow = (words, input) => {
    const running = run(process.execPath, [main, ...words, '--data', data])
    running.child.stdin?.end(input)
    return running
  }
  await furrow(['user', 'add', 'demo', '--role', 'manager', '--password-stdin'], password)
  await furrow(['demo', '--today', today])
  const server = spawn(process.execPath, [main, 'serve', '--data', data, '--port', '0', '--no-app'])
  try {
    return await written(await listening(server))
  } finally {
    server.kill()
    await new Promise((resolve) => server.once('close', resolve))
    await rm(data, { recursive: true })
  }
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} server @returns {Promise<string>} */
const listening = (server) =>
  new Promise((resolve, reject) => {
    let said = ''
    server.stdout.on('data', (text) => {
      said += text
      const [, address] = /listens at (http:\S+)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
    server.once('close', () => reject(new Error(`The server of the demo ended: ${said}`)))
  })

/** @param {string} address */
async function written(address) {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'demo', password })
  const granted = await fetch(`${address}/oauth/token`, { method: 'POST', body })
  const { access_token } = /** @type {{ access_token: string }} */ (await granted.json())
  /** @param {string} path @returns {Promise<any>} */
  const read = async (path) => {
    const answer = await fetch(address + path, { headers: { authorization: `Bearer ${access_token}` } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return answer.json()
  }
  /** @param {string} path */
  const all = async (path) => {
    const records = []
    for (let page = 0; ; page++) {
      const { list, last } = await read(`${path}&with=uuid,version&files=link&limit=1000&sort=id&page=${page}`)
      records.push(...list)
      if (Number(new URL(last).searchParams.get('page')) <= page) return records
    }
  }
  const at = Date.parse(`${today}T12:00:00Z`) / 1000
  const since = at - keptDays * day
  const lists = {
    term: await all('/taxonomy_term.json?'),
    asset: [...(await all('/farm_asset.json?archived=0')), ...(await all('/farm_asset.json?archived[gt]=0'))],
    log: [...(await all('/log.json?done=0')), ...(await all(`/log.json?done=1&timestamp[ge]=${since}`))],
  }
  /** @param {string} kind */
  const stays = (kind) => read(`/stays?kind=${kind}&from=${since}`)
  const { farm, catalogue: edition } = await read('/me.json')
  const about = {
    at,
    me: {
      account: { id: '0', name: 'demo', role: 'worker', language: 'en' },
      rights: ['enter', 'read-info', 'read-records', 'write-records'],
      csrf_token: null,
      farm: { ...farm, uuid: 'demo' },
      map_layers: [],
      time: String(at),
      edition: 'demo',
      catalogue: edition,
      version: 'demo',
    },
    catalogue: await read('/catalogue.json'),
    stays: { movement: await stays('movement'), membership: await stays('membership') },
  }
  const texts = Object.entries(lists).map(([type, records]) => {
    const lines = records.map((record) => JSON.stringify(asKept(type, record)))
    return `"${type}":[\n${lines.join(',\n')}\n]`
  })
  return `${JSON.stringify(about).slice(0, -1)},\n${texts.join(',\n')}}\n`
}

/** Removes the server's address and random values. @param {string} type @param {Record<string, unknown>} record */
function asKept(type, record) {
  const hash = createHash('sha256')
    .update(`${type}/${record.id ?? record.tid}`)
    .digest('hex')
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
  const { images: _images, files: _files, id = record.tid, ...rest } = record
  return { id, ...plain(rest), uuid, version: '1.demo' }
}

const leftOut = [
  'uri',
  'url',
  'resource',
  'feed_article',
  'location',
  'geometry',
  'assets',
  'group',
  'members',
  'parents_all',
  'tid',
]

/** Without addresses and empty values. @param {any} value @returns {any} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([name, part]) => !leftOut.includes(name) && part !== null && part !== '' && String(part) !== '')
    .map(([name, part]) => [name, plain(part)])
  return Object.fromEntries(entries)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(demoFile, await makeDemo(join(root, 'dist/main.cjs')))

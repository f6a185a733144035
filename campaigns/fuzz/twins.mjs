import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {import('../ground/client.mjs').Answer} Answer
 * @typedef {import('../ground/client.mjs').Sending} Sending
 * @typedef {import('../ground/client.mjs').Client} Client
 * @typedef {import('../ground/findings.mjs').Findings} Findings
 * @typedef {Pick<Client, 'send' | 'get'>} Asker
 * @typedef {{ findings: Findings, afterWrite: () => Promise<void>, mask?: RegExp }} Means `mask`: what else is not compared
 */

/** Sends the same requests to farms on several engines; their answers must not differ. */
export class Twins {
  #clients
  #means

  /** @param {Readonly<Record<string, Client>>} clients by engine, all of the same caller @param {Means} means */
  constructor(clients, means) {
    this.#clients = Object.entries(clients)
    this.#means = means
  }

  /** The same, for requests after which ids differ between engines; statuses are still compared. */
  withoutNumbers() {
    const { findings } = this.#means
    const mask = /(?<!"status":)\b\d+\b/g
    return new Twins(Object.fromEntries(this.#clients), { findings, mask, afterWrite: async () => {} })
  }

  /** @param {string} method @param {string} path @param {Sending} [sending] @returns {Promise<Answer>} the first engine's */
  async send(method, path, sending) {
    const { findings, afterWrite, mask } = this.#means
    const asked = this.#clients.map(async ([engine, client]) => ({
      engine,
      port: client.port,
      answer: await client.send(method, path, sending),
    }))
    const settled = await Promise.allSettled(asked)
    if (method !== 'GET') await afterWrite()
    const failed = settled.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    const [first, ...others] = await Promise.all(asked)
    if (first === undefined) throw new Error('There is nobody to ask')
    const shown = seen(first.answer, first.port, mask)
    for (const other of others) {
      const otherwise = seen(other.answer, other.port, mask)
      findings.check(
        isDeepStrictEqual(shown, otherwise),
        () =>
          `${method} ${path.slice(0, 300)} ${String(sending?.body ?? '').slice(0, 500)}: ${first.engine} answers ${unlike(shown, otherwise)}, ${other.engine} answers ${unlike(otherwise, shown)}`,
      )
    }
    return first.answer
  }

  get(/** @type {string} */ path) {
    return this.send('GET', path)
  }
}

/** Each caller on all farms. @param {readonly import('./farm.mjs').PeopledFarm[]} farms @param {Means} means */
export function twinsOf(farms, means) {
  const names = farms[0]?.principals.map(({ name }) => name) ?? []
  return names.map((name) => {
    const own = farms.flatMap(({ engine, principals }) =>
      principals.filter((one) => one.name === name).map(({ client }) => [engine, client]),
    )
    return new Twins(Object.fromEntries(own), means)
  })
}

/** Times as sheets, maps and /api write them. */
const isoTime = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g

/** @typedef {{ status: number, type: string | undefined, text: string }} Seen */

/**
 * The comparable part of an answer: without port, time and random values; of pages, which contain secrets, only the
 * status.
 * @param {Answer} answer
 * @param {number} port
 * @param {RegExp} [mask]
 * @returns {Seen}
 */
function seen({ status, headers, text }, port, mask) {
  const type = headers['content-type']
  if (!/json|xml|csv/.test(type ?? '')) return { status, type, text: '' }
  const now = Date.now() / 1000
  const isNow = (/** @type {number} */ second) => Math.abs(second - now) < 86_400
  const plain = text
    .replaceAll(`127.0.0.1:${port}`, 'farm.example')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'uuid')
    .replaceAll(/"edition":"[\w-]+"/g, '"edition":"own"')
    .replaceAll(/(?<![\w.])(\d+)\.(?=\w*[a-z_-])[\w-]{12}(?![\w-])/gi, '$1.own')
    .replaceAll(/(?<="next":")[\w-]{8}(\.[\da-z-]+){2,}(?=")/g, 'cursor')
    .replaceAll(/"ends":"\d+"/g, '"ends":"some days from now"')
    .replaceAll(/(?<!\d)\d{10}(?!\d)/g, (digits) => (isNow(Number(digits)) ? 'now' : digits))
    .replaceAll(isoTime, (time) => (isNow(Date.parse(time) / 1000) ? 'now' : time))
  return { status, type, text: mask === undefined ? plain : plain.replaceAll(mask, '#') }
}

/** The answer from shortly before the first difference. @param {Seen} one @param {Seen} other */
function unlike({ status, type, text }, other) {
  let at = 0
  while (at < text.length && text[at] === other.text[at]) at += 1
  return `${status} ${type} …${text.slice(Math.max(0, at - 100), at + 200)}`
}

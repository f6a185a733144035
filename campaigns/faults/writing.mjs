import { changesOf, richAnimal, richLog, richTerm } from './bodies.mjs'

/**
 * @typedef {import('../ground/client.mjs').Client} Client
 * @typedef {import('../ground/client.mjs').Answer} Answer
 * @typedef {import('./ledger.mjs').Ledger} Ledger
 * @typedef {import('./ledger.mjs').Entry} Entry
 * @typedef {import('./bodies.mjs').Ground} Ground
 *
 * @typedef {object} Writing what a writer needs
 * @property {Client} client
 * @property {Ledger} ledger
 * @property {Ground} ground
 * @property {import('../ground/dice.mjs').Dice} dice
 * @property {import('../ground/findings.mjs').Findings} findings
 * @property {string} name begins the name of everything it writes
 * @property {readonly number[]} [mayRefuse] statuses that say that nothing was written
 * @property {readonly number[]} [mayDoubt] statuses after which it may have been written or not
 */

/** The records that all writers refer to. @param {Client} client @returns {Promise<Ground>} */
export async function layGround(client) {
  const create = async (/** @type {string} */ type, /** @type {object} */ body) => {
    const { status, text, body: created } = await client.write('POST', `/${type}`, body)
    if (status !== 201) throw new Error(`POST /${type} answered ${status}: ${text}`)
    return /** @type {string} */ (created.id)
  }
  /** @type {Ground} */
  const ground = { areas: [], groups: [], animals: [] }
  for (const name of ['North', 'South', 'Barn', 'Pond']) {
    const area = {
      vocabulary: 'farm_areas',
      name,
      area_type: 'field',
      geofield: [{ geom: `POINT (${ground.areas.length} 2)` }],
    }
    ground.areas.push(await create('taxonomy_term', area))
  }
  for (const name of ['Herd', 'Flock']) ground.groups.push(await create('farm_asset', { type: 'group', name }))
  for (const name of ['Daisy', 'Molly', 'Bess', 'Tilly']) {
    ground.animals.push(await create('farm_asset', { type: 'animal', name, animal_type: { name: 'Cow' } }))
  }
  return ground
}

/** Writes one record after another until stopped, or until the server is gone; each writer has its own records. */
export class Writer {
  /** @type {Writing} */
  #writing
  /** @type {Entry[]} */
  #own = []
  #count = 0
  #stopped = false
  /** Send time of the request in flight, in milliseconds; 0: none. */
  sentAt = 0
  acknowledged = 0
  /** The longest time between two acknowledgements. */
  longestGap = 0

  constructor(/** @type {Writing} */ writing) {
    this.#writing = writing
  }

  stop() {
    this.#stopped = true
  }

  async write() {
    let last = performance.now()
    while (!this.#stopped) {
      try {
        await this.#next()
      } catch (error) {
        // The ledger finds out later whether the server received it.
        return error
      }
      this.longestGap = Math.max(this.longestGap, performance.now() - last)
      last = performance.now()
    }
    return null
  }

  #next() {
    const { dice } = this.#writing
    const changeable = this.#own.filter(
      ({ known, pending, type }) => known !== null && pending === null && type === 'log',
    )
    const chance = dice.roll()
    if (changeable.length > 3 && chance < 0.25) return this.#update(dice.pick(changeable))
    if (changeable.length > 6 && chance < 0.33) return this.#remove(dice.pick(changeable))
    if (chance < 0.45) return this.#batch()
    if (chance < 0.6) return this.#create('farm_asset', richAnimal)
    if (chance < 0.68) return this.#create('taxonomy_term', richTerm)
    return this.#create('log', (own, marker) => richLog(own, this.#writing.ground, marker))
  }

  #marker() {
    this.#count += 1
    return `${this.#writing.name}-${this.#count}`
  }

  /**
   * @param {import('./ledger.mjs').RecordType} type
   * @param {(dice: import('../ground/dice.mjs').Dice, marker: string) => Record<string, any>} compose
   */
  async #create(type, compose) {
    const { ledger, dice } = this.#writing
    const marker = this.#marker()
    const body = compose(dice, marker)
    const entry = ledger.open(type, marker)
    ledger.send(entry, { verb: 'create', body, key: marker, group: null })
    const answer = await this.#send('POST', `/${type}`, { body, key: marker })
    if (!this.#accepts(answer, 201, [entry])) return
    ledger.acknowledge(entry, { id: answer.body.id, known: withFiles(answer.body, body, {}) })
    this.#own.push(entry)
  }

  async #update(/** @type {Entry} */ entry) {
    const { ledger, dice, ground } = this.#writing
    const body = changesOf(dice, ground, `${entry.marker} again`)
    const key = `${entry.marker} ${dice.whole(1, 1e9)}`
    ledger.send(entry, { verb: 'update', body, key, group: null })
    const before = entry.known ?? {}
    const answer = await this.#send('PUT', `/log/${entry.id}`, { body, key })
    if (!this.#accepts(answer, 200, [entry])) return
    ledger.acknowledge(entry, { id: entry.id, known: withFiles(answer.body, body, before) })
  }

  async #remove(/** @type {Entry} */ entry) {
    const { ledger } = this.#writing
    ledger.send(entry, { verb: 'remove', body: {}, key: '', group: null })
    const answer = await this.#send('DELETE', `/log/${entry.id}`, {})
    if (this.#accepts(answer, 200, [entry])) ledger.acknowledge(entry, { id: entry.id, known: null })
  }

  async #batch() {
    const { ledger, dice, ground, client } = this.#writing
    const markers = [this.#marker(), this.#marker(), this.#marker()]
    const [first = '', ...others] = markers
    const animal = richAnimal(dice, first)
    const logs = others.map((marker) => richLog(dice, ground, marker))
    const entries = markers.map((marker, n) => ledger.open(n === 0 ? 'farm_asset' : 'log', marker))
    for (const [n, entry] of entries.entries()) {
      ledger.send(entry, { verb: 'create', body: [animal, ...logs][n] ?? {}, key: first, group: first })
    }
    const operations = [
      { method: 'POST', path: '/farm_asset', as: 'newcomer', body: animal },
      ...logs.map((body) => ({ method: 'POST', path: '/log', body })),
    ]
    const answer = await this.#send('POST', '/batch', { body: { atomic: true, operations }, key: first })
    if (!this.#accepts(answer, 200, entries)) return
    for (const [n, entry] of entries.entries()) {
      // A batch answers with ids only, so the first read is the baseline for later ones.
      entry.id = String(answer.body.results[n].id)
      if (entry.pending !== null) entry.pending.answered = true
    }
    for (const entry of entries) {
      const read = await client.get(`/${entry.type}/${entry.id}.json`)
      if (read.status !== 200) throw new Error(`reading ${entry.marker} answered ${read.status}`)
      ledger.acknowledge(entry, { id: entry.id, known: read.body })
      this.#own.push(entry)
    }
  }

  /** @param {string} method @param {string} path @param {{ body?: object, key?: string }} what */
  async #send(method, path, { body, key }) {
    const { client } = this.#writing
    this.sentAt = performance.now()
    try {
      if (body === undefined) return await client.send(method, path)
      return await client.write(method, path, body, key === undefined ? {} : { 'idempotency-key': key })
    } finally {
      this.sentAt = 0
    }
  }

  /** @param {Answer} answer @param {number} wanted @param {readonly Entry[]} entries */
  #accepts({ status, text }, wanted, entries) {
    const { ledger, findings, mayRefuse = [], mayDoubt = [] } = this.#writing
    if (status === wanted) {
      this.acknowledged += 1
      ledger.acknowledged += 1
      return true
    }
    if (mayDoubt.includes(status)) return false
    for (const entry of entries) ledger.refuse(entry)
    if (!mayRefuse.includes(status)) findings.add(`${entries[0]?.marker} was answered ${status}: ${text.slice(0, 500)}`)
    return false
  }
}

/**
 * The answer to a request with a key has addresses of files: the content must be what was sent, or was there before.
 * @param {Record<string, any>} answer
 * @param {Record<string, any>} sent
 * @param {Record<string, any>} before
 */
function withFiles(answer, sent, before) {
  const { files, images } = answer
  return { ...answer, files: sent.files ?? before.files ?? files, images: sent.images ?? before.images ?? images }
}

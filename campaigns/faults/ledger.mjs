import { appendFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { showsWhole } from './shows.mjs'

/**
 * @typedef {'log' | 'farm_asset' | 'taxonomy_term'} RecordType
 * @typedef {{ verb: 'create' | 'update' | 'remove', body: Record<string, any>, key: string, group: string | null,
 *   answered?: true }} Pending what was sent and is not settled; those of one group happen together or not at all;
 *   `answered`: it was acknowledged, but what it looks like now was not read yet
 *
 * @typedef {object} Entry one record as its only writer knows it
 * @property {RecordType} type
 * @property {string} marker its name, which no other record has
 * @property {string | null} id
 * @property {Record<string, any> | null} known as the last acknowledgement showed it; null: not there
 * @property {Pending | null} pending
 */

/** The client's own ledger of acknowledgements: what must exist, and what may. */
export class Ledger {
  /** @type {Entry[]} */
  entries = []
  acknowledged = 0
  #path

  constructor(/** @type {string} */ path) {
    this.#path = path
  }

  /** @param {RecordType} type @param {string} marker @returns {Entry} */
  open(type, marker) {
    const entry = { type, marker, id: null, known: null, pending: null }
    this.entries.push(entry)
    return entry
  }

  /** @param {Entry} entry @param {Pending} pending */
  send(entry, pending) {
    entry.pending = pending
    this.#note({ sent: pending.verb, marker: entry.marker, body: summary(pending.body) })
  }

  /** @param {Entry} entry @param {{ id: string | null, known: Record<string, any> | null }} state */
  acknowledge(entry, { id, known }) {
    this.#note({ acknowledged: entry.pending?.verb, marker: entry.marker, id })
    entry.id = id ?? entry.id
    entry.known = known
    entry.pending = null
  }

  /** The server refused: nothing may have happened. @param {Entry} entry */
  refuse(entry) {
    this.#note({ refused: entry.pending?.verb, marker: entry.marker })
    entry.pending = null
  }

  get inFlight() {
    return this.entries.filter(({ pending }) => pending !== null).length
  }

  #note(/** @type {object} */ line) {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}

const summary = (/** @type {Record<string, any>} */ body) =>
  JSON.stringify(body, (_, value) =>
    typeof value === 'string' && value.length > 200 ? `${value.length} characters` : value,
  )

/**
 * Compares one record with its ledger entry, and settles pending writes. Returns the fault, or null.
 * @param {import('../ground/client.mjs').Client} client
 * @param {Entry} entry
 * @returns {Promise<string | null>}
 */
export async function compare(client, entry) {
  const found = await find(client, entry)
  if (typeof found === 'string') return `${entry.type} ${entry.marker}: ${found}`
  const { known, pending } = entry
  const happened = pending !== null && isOutcome(found, entry)
  if (!happened && (pending?.answered || !isSame(found, known))) {
    return `${entry.type} ${entry.marker} (id ${entry.id}): ${difference(found, entry)}`
  }
  entry.known = found
  entry.id = found === null ? entry.id : String(found.id)
  entry.pending = null
  if (pending === null) return null
  return (await strayTerms(client, pending, happened)) ?? null
}

/**
 * Compares all entries, repeats some unanswered writes, and reports faults.
 * @param {{ client: import('../ground/client.mjs').Client, dice: import('../ground/dice.mjs').Dice, findings: import('../ground/findings.mjs').Findings }} by
 * @param {readonly Entry[]} entries
 * @param {string} when
 */
export async function compareAll({ client, dice, findings }, entries, when) {
  const unsettled = entries.filter(({ pending }) => pending !== null)
  /** @type {Map<string, Entry[]>} */
  const groups = new Map()
  for (const entry of unsettled) {
    const { group } = entry.pending ?? { group: null }
    if (group !== null) groups.set(group, [...(groups.get(group) ?? []), entry])
    else if (dice.happens(0.5)) await sendAgain(client, entry, findings)
  }
  const queue = [...entries]
  const lanes = Array.from({ length: 4 }, async () => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      const wrong = await compare(client, entry)
      if (wrong !== null) findings.add(`${when}: ${wrong}`)
    }
  })
  await Promise.all(lanes)
  for (const [group, members] of groups) {
    const there = members.filter(({ known }) => known !== null).length
    findings.check(
      there === 0 || there === members.length,
      `${when}: ${there} of ${members.length} of batch ${group} are there`,
    )
  }
  return unsettled.length
}

/**
 * A client that missed the answer can repeat the request with the same key.
 * @param {import('../ground/client.mjs').Client} client
 * @param {Entry} entry
 * @param {import('../ground/findings.mjs').Findings} findings
 */
async function sendAgain(client, { type, marker, pending }, findings) {
  if (pending?.verb !== 'create') return
  const { status, text } = await client.write('POST', `/${type}`, pending.body, { 'idempotency-key': pending.key })
  findings.check(status === 201, `${marker} sent again with its key was answered ${status}: ${text.slice(0, 300)}`)
}

/**
 * The current record: null if it does not exist, a text if that is unknown.
 * @param {import('../ground/client.mjs').Client} client
 * @param {Entry} entry
 */
async function find(client, { type, marker, id }) {
  if (id !== null) {
    const { status, body, text } = await client.get(`/${type}/${id}.json`)
    if (status === 404) return null
    return status === 200 ? body : `reading it answered ${status}: ${text.slice(0, 300)}`
  }
  const { status, body, text } = await client.get(`/${type}.json?name=${encodeURIComponent(marker)}&files=inline`)
  if (status !== 200) return `looking for it answered ${status}: ${text.slice(0, 300)}`
  if (body.list.length > 1) return `it is there ${body.list.length} times`
  return body.list[0] ?? null
}

/** Computed from other records, which change meanwhile; and members of creation answers only. */
const apart = new Set(['location', 'geometry', 'assets', 'uri', 'resource'])

/** @param {Record<string, any> | null} found @param {Record<string, any> | null} known */
function isSame(found, known) {
  if (found === null || known === null) return found === known
  return Object.keys(known).every((name) => apart.has(name) || isDeepStrictEqual(found[name], known[name]))
}

/** True if the whole pending write took effect. @param {Record<string, any> | null} found @param {Entry} entry */
function isOutcome(found, { known, pending }) {
  if (pending === null) return false
  if (pending.verb === 'remove') return found === null
  if (found === null || !showsWhole(found, pending.body)) return false
  if (known === null) return true
  const untouched = Object.keys(known).filter((name) => !(name in pending.body) && name !== 'changed')
  return untouched.every((name) => apart.has(name) || isDeepStrictEqual(found[name], known[name]))
}

/**
 * A term named in a record exists if and only if the record was written.
 * @param {import('../ground/client.mjs').Client} client
 * @param {Pending} pending
 * @param {boolean} happened
 */
async function strayTerms(client, { body }, happened) {
  const names = (body.log_category ?? []).map((/** @type {any} */ category) => category.name)
  for (const name of names.filter((/** @type {string} */ own) => own.startsWith('only in'))) {
    const { body: list } = await client.get(`/taxonomy_term.json?name=${encodeURIComponent(name)}`)
    if (list.list.length === (happened ? 1 : 0)) continue
    return `the term "${name}" is there ${list.list.length} times, its record was ${happened ? '' : 'not '}written`
  }
  return undefined
}

/** @param {Record<string, any> | null} found @param {Entry} entry */
function difference(found, { known, pending }) {
  const during = pending === null ? '' : `, with ${pending.verb} unanswered`
  if (found === null) return `it was acknowledged and is gone${during}`
  if (known === null) return `it is there only in part, or again${during}: ${JSON.stringify(found).slice(0, 800)}`
  const names = Object.keys(known).filter((name) => !apart.has(name) && !isDeepStrictEqual(found[name], known[name]))
  const parts = names.map(
    (name) => `${name} is ${JSON.stringify(found[name])}, acknowledged ${JSON.stringify(known[name])}`,
  )
  return `it is not as acknowledged${during}: ${parts.join('; ').slice(0, 800)}`
}

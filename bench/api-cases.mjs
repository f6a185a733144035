import { changedLog, get, upTo } from './asks.mjs'
import { typeOfLog } from './farm.mjs'
import { uuidOf } from './uuids.mjs'

/**
 * @typedef {import('./cases.mjs').Ask} Ask
 * @typedef {import('./cases.mjs').Case} Case
 */

/** A quantity is followed by its log on the same connection. */
export const laneCount = 8

const newerType = (/** @type {string} */ type) => type.replace('farm_', '')
/** @type {(path: string, words: Record<string, string>) => string} */
const address = (path, words) => `/api/${path}?${new URLSearchParams(words)}`
const page = (/** @type {number} */ number) => ({ 'page[offset]': String(number * 50), 'page[limit]': '50' })

/** Cases of /api. @param {import('./farm.mjs').Plan} plan @returns {Case[]} */
export function apiCasesOf(plan) {
  const busyAnimals = [2, 6, 12, 16]
  /** @type {Omit<Case, 'newer'>[]} */
  const cases = [
    {
      name: 'api-log',
      title: '/api, one log',
      onPostgres: 0.4,
      kind: 'read',
      asks: upTo(500).map((n) => oneLog(1 + ((n * 17) % plan.logCount))),
      warmth: 6,
      target: 0.5,
    },
    {
      name: 'api-page',
      title: '/api, page of 50 logs',
      onPostgres: 0.4,
      kind: 'read',
      asks: upTo(10).map((number) => get(address('log/activity', page(number)))),
      target: 0.5,
    },
    {
      name: 'api-animals',
      title: '/api, 50 animals with location',
      kind: 'read',
      asks: upTo(4).map((number) => get(address('asset/animal', page(number)))),
      target: 0.5,
    },
    {
      name: 'api-land',
      title: '/api, 50 land assets',
      kind: 'read',
      asks: upTo(2).map((number) => get(address('asset/land', page(number)))),
      target: 0.5,
    },
    {
      name: 'api-include',
      title: '/api, page of 50 logs with assets, places, quantities and units',
      kind: 'read',
      asks: upTo(5).map((number) =>
        get(address('log/harvest', { include: 'asset,location,quantity,quantity.units', ...page(number) })),
      ),
      target: 0.3,
    },
    {
      name: 'api-asset-name',
      title: '/api, logs by the name of an asset, while logs change',
      kind: 'write',
      asks: whileLogsChange((n) => ({ 'filter[asset.name]': `Animal ${busyAnimals[n % busyAnimals.length]}` })),
      grown: true,
    },
    {
      name: 'api-quantity-asset',
      title: '/api, logs by the asset that they count, while logs change',
      kind: 'write',
      asks: whileLogsChange((n) => ({
        'filter[quantity.inventory_asset.id]': uuidOf('asset', busyAnimals[n % busyAnimals.length] ?? 0),
      })),
      grown: true,
    },
    {
      name: 'api-post',
      title: '/api, POST quantity and POST log, each',
      onPostgres: 0.35,
      kind: 'write',
      asks: upTo(400).map((n) => (Math.floor(n / laneCount) % 2 === 0 ? newQuantity(n) : newLog(plan, n))),
      connections: laneCount,
      carried: { word: '@quantity', pattern: '"id":"([-0-9a-f]{36})"', length: 36 },
      warmth: 14,
      target: 0.4,
    },
  ]
  return cases.map((one) => ({ ...one, newer: true }))
}

const oneLog = (/** @type {number} */ log) => get(`/api/log/${newerType(typeOfLog(log))}/${uuidOf('log', log)}`)

/**
 * Repeats a search after each change, so that a cached result would be wrong.
 * @param {(n: number) => Record<string, string>} words
 */
const whileLogsChange = (words) =>
  upTo(2100).map((n) => (n % 5 === 0 ? changedLog(n / 5, 40) : get(address('log/activity', words(n)))))

/** @param {number} n @returns {Ask} */
function newQuantity(n) {
  const attributes = { measure: 'weight', value: { decimal: `${n % 97}.5` }, label: 'Clean' }
  const relationships = { units: { data: { type: 'taxonomy_term--unit', id: uuidOf('term', 24) } } }
  return posted('quantity/standard', { type: 'quantity--standard', attributes, relationships })
}

/** @param {import('./farm.mjs').Plan} plan @param {number} n @returns {Ask} */
function newLog(plan, n) {
  const attributes = {
    name: `Harvest of the day ${n}`,
    timestamp: new Date((1_740_000_000 + n * 60) * 1000).toISOString(),
    status: 'done',
    is_movement: true,
    notes: { value: 'Picked before noon and brought in at once.', format: 'default' },
  }
  const area = plan.firstArea + (n % plan.areaCount)
  const asset = 30 + (n % 200)
  const relationships = {
    asset: { data: [{ type: 'asset--animal', id: uuidOf('asset', asset) }] },
    location: { data: [{ type: 'asset--land', id: uuidOf('term', area) }] },
    quantity: { data: [{ type: 'quantity--standard', id: '@quantity' }] },
  }
  return posted('log/harvest', { type: 'log--harvest', attributes, relationships })
}

/** @param {string} path @param {object} data @returns {Ask} */
const posted = (path, data) => ({
  method: 'POST',
  path: `/api/${path}`,
  status: 201,
  body: JSON.stringify({ data }),
})

import { apiCasesOf } from './api-cases.mjs'
import { changedLog, get, upTo } from './asks.mjs'
import { timestampOf } from './farm.mjs'

/**
 * @typedef {object} Ask one request
 * @property {'GET' | 'POST' | 'PUT'} method
 * @property {string} path `@cursor` in it stands for where the feed of the asked server ends
 * @property {string} [body]
 * @property {number} status
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {Ask[]} asks
 * @property {'read' | 'write' | 'unchanged' | 'refresh'} kind
 * @property {number} [target] the least that Furrow on SQLite may do, as a part of what the floor does (of `of`, if given)
 * @property {number} [onPostgres] the least that Furrow on PostgreSQL may do, as a part of the floor there, by CPU
 * @property {string} [of] the case of Furrow itself that the target is a multiple of
 * @property {boolean} [grown] only of interest where farms of several sizes are compared
 * @property {boolean} [slowDisk] whether it is also measured on a slow disk, and the target is about that
 * @property {number} [warmth] how many times the usual to warm up, where much code is first used
 * @property {number} [connections] where it is to be another number than usual
 * @property {boolean} [cursors] whether answers have cursors, which are others on each server: only their status is judged
 * @property {boolean} [newer] of the newer generation: it asks by UUIDs, which only a planted farm has as they were planned
 * @property {Carried} [carried] what a request has from the answer to the one before it on the same connection
 * @property {number} [records] how many records one request writes; figures are for one record
 *
 * @typedef {object} Carried
 * @property {string} word what stands for it in requests
 * @property {string} pattern how it is found in an answer
 * @property {number} length
 */

/** Reads come first: a write would change their answers. @param {import('./farm.mjs').Plan} plan */
export const casesOf = (plan) =>
  [...recordCasesOf(plan), ...apiCasesOf(plan)].sort(
    (one, other) => Number(one.kind === 'write') - Number(other.kind === 'write'),
  )

/** @param {import('./farm.mjs').Plan} plan @returns {Case[]} */
function recordCasesOf(plan) {
  const pages = upTo(10).map((page) => get(`/log.json?page=${page}`))
  const lastPage = Math.ceil(plan.logCount / 100) - 1
  return [
    { name: 'page', title: 'page of 100 logs', onPostgres: 0.4, kind: 'read', asks: pages, target: 0.5 },
    {
      name: 'page-type',
      title: 'page of 100 logs of one type',
      onPostgres: 0.5,
      kind: 'read',
      asks: upTo(5).map((page) => get(`/log.json?type=farm_harvest&page=${page}`)),
    },
    {
      name: 'asset-logs',
      title: 'logs of one asset',
      onPostgres: 0.5,
      kind: 'read',
      asks: upTo(20).map((n) => get(`/log.json?asset=${2 + n}`)),
    },
    {
      name: 'animals',
      title: '100 animals with location and geometry',
      onPostgres: 0.5,
      kind: 'read',
      asks: upTo(2).map((page) => get(`/farm_asset.json?type=animal&page=${page}`)),
      target: 0.3,
    },
    {
      name: 'animals-past',
      title: '100 animals as they were half of the history ago',
      kind: 'read',
      asks: upTo(2).map((page) => get(`/farm_asset.json?type=animal&page=${page}&as_of=${halfWay(plan)}`)),
      target: 0.5,
      of: 'animals',
    },
    {
      name: 'areas-past',
      title: '100 areas with what was in them half of the history ago',
      kind: 'read',
      asks: [get(`/taxonomy_term.json?bundle=farm_areas&as_of=${halfWay(plan)}`)],
    },
    {
      name: 'stays',
      title: 'page of stays',
      kind: 'read',
      asks: [get('/stays')],
    },
    {
      name: 'areas',
      title: '100 areas with their assets',
      onPostgres: 0.5,
      kind: 'read',
      asks: [get('/taxonomy_term.json?bundle=farm_areas')],
      target: 0.3,
    },
    { name: 'farm-info', title: '/farm.json', onPostgres: 0.4, kind: 'read', asks: [get('/farm.json')] },
    {
      name: 'page-xml',
      title: 'page of 100 logs in XML',
      kind: 'read',
      asks: upTo(10).map((page) => get(`/log.xml?page=${page}`)),
    },
    {
      name: 'last-page',
      title: 'last page of logs',
      kind: 'read',
      asks: upTo(5).map((n) => get(`/log.json?page=${lastPage - n}`)),
      grown: true,
    },
    {
      name: 'deep-asset',
      title: 'asset with the longest history',
      kind: 'read',
      asks: [get(`/farm_asset/${plan.deepAsset}.json`)],
      grown: true,
    },
    {
      name: 'deep-asset-logs',
      title: 'logs of the asset with the longest history',
      kind: 'read',
      asks: [get(`/log.json?asset=${plan.deepAsset}`)],
      grown: true,
    },
    {
      name: 'visited-area',
      title: 'area that most assets have visited',
      kind: 'read',
      asks: [get(`/taxonomy_term/${plan.lastArea}.json`)],
      grown: true,
    },
    {
      name: 'page-304',
      title: 'unchanged page of 100 logs (304)',
      onPostgres: 0.4,
      kind: 'unchanged',
      asks: pages,
      target: 3,
      of: 'page',
    },
    {
      name: 'one-log',
      title: 'one log',
      onPostgres: 0.4,
      kind: 'read',
      asks: upTo(500).map((n) => get(`/log/${1 + ((n * 17) % plan.logCount)}.json`)),
      warmth: 6,
      target: 0.5,
    },
    {
      name: 'nothing-new',
      title: '/changes with nothing new',
      kind: 'read',
      asks: [get('/changes?since=@cursor')],
      cursors: true,
      warmth: 6,
      target: 1,
      of: 'one-log',
    },
    {
      name: 'changes',
      title: '/changes, 1,000 of them',
      kind: 'read',
      asks: [get('/changes?since=0')],
      cursors: true,
      target: 0.3,
    },
    {
      name: 'page-changing',
      title: 'page of 100 logs while logs change (1 change to 20 pages)',
      onPostgres: 0.2,
      kind: 'write',
      // 21 is coprime to the number of connections, so that each of them also changes logs.
      asks: upTo(8400).map((n) => (n % 21 === 0 ? changedLog(n / 21, 40) : get(`/log.json?page=${n % 10}`))),
    },
    {
      name: 'post',
      title: 'POST log with quantities and movement',
      onPostgres: 0.35,
      kind: 'write',
      asks: upTo(200).map((n) => ({ method: 'POST', path: '/log', status: 201, body: newLog(plan, n) })),
      warmth: 14,
      target: 0.5,
    },
    {
      name: 'post-alone',
      title: 'POST log, one after the other',
      kind: 'write',
      asks: upTo(200).map((n) => ({ method: 'POST', path: '/log', status: 201, body: newLog(plan, n) })),
      connections: 1,
    },
    {
      name: 'batch',
      title: 'POST /batch of 100 logs, for each log',
      onPostgres: 0.3,
      kind: 'write',
      asks: [{ method: 'POST', path: '/batch', status: 200, body: batchOf(plan, 100) }],
      connections: 1,
      records: 100,
      slowDisk: true,
      target: 10,
      of: 'post-alone',
    },
    {
      name: 'put',
      title: 'PUT log',
      onPostgres: 0.35,
      kind: 'write',
      asks: upTo(4000).map((n) => changedLog(n, 800)),
    },
    {
      name: 'refresh',
      title: 'token refresh',
      onPostgres: 0.4,
      kind: 'refresh',
      carried: { word: '@refresh_token', pattern: '"refresh_token":"([^"]+)"', length: 43 },
      asks: [
        {
          method: 'POST',
          path: '/oauth/token',
          status: 200,
          body: 'grant_type=refresh_token&client_id=farm&refresh_token=@refresh_token',
        },
      ],
    },
  ]
}

/** The time of the log in the middle. @param {import('./farm.mjs').Plan} plan */
const halfWay = ({ logCount }) => timestampOf(Math.floor(logCount / 2))

/** @param {import('./farm.mjs').Plan} plan @param {number} n */
function newLog(plan, n) {
  const area = { id: String(plan.firstArea + (n % plan.areaCount)) }
  return JSON.stringify({
    name: `Harvest of the day ${n}`,
    type: 'farm_harvest',
    timestamp: 1_740_000_000 + n * 60,
    done: 1,
    asset: [{ id: String(30 + n) }],
    area: [area],
    log_category: [{ id: '1' }],
    notes: { value: 'Picked before noon and brought in at once.', format: 'farm_format' },
    movement: { area: [area] },
    quantity: [
      { measure: 'weight', value: '12.5', unit: { id: '24' }, label: 'Clean' },
      { measure: 'count', value: '40', unit: { id: '27' }, label: 'Bunches' },
    ],
  })
}

/** @param {import('./farm.mjs').Plan} plan @param {number} count */
function batchOf(plan, count) {
  const operations = upTo(count).map((n) => ({ method: 'POST', path: '/log', body: JSON.parse(newLog(plan, n)) }))
  return JSON.stringify({ operations })
}

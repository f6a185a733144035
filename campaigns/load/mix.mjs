import { request } from 'node:http'

/**
 * @typedef {import('../ground/dice.mjs').Dice} Dice
 * @typedef {{ method: 'GET' | 'POST' | 'PUT', path: string, body?: string }} Ask
 * @typedef {import('../../bench/farm.mjs').Plan} Plan
 */

const photo = (/** @type {Dice} */ dice) =>
  `data:image/jpeg;base64,${dice.bytes(dice.whole(20_000, 60_000)).toString('base64')}`

/** Requests of people in the field. @param {Plan} plan @param {Dice} dice @returns {Ask} */
export function nextAsk(plan, dice) {
  const chance = dice.roll()
  if (chance < 0.3) return { method: 'GET', path: `/log/${dice.whole(1, plan.logCount)}.json` }
  if (chance < 0.45) return { method: 'GET', path: `/farm_asset/${dice.whole(1, plan.assetCount)}.json` }
  if (chance < 0.55) return { method: 'GET', path: `/log.json?limit=20&page=${dice.whole(0, 50)}` }
  if (chance < 0.62) return { method: 'GET', path: `/log.json?asset=${dice.whole(1, plan.assetCount)}&limit=20` }
  if (chance < 0.7)
    return {
      method: 'GET',
      path: `/farm_asset.json?type=animal&limit=20&page=${dice.whole(0, Math.min(20, Math.floor(plan.assetCount / 40) - 1))}`,
    }
  if (chance < 0.75) return { method: 'GET', path: `/taxonomy_term/${dice.whole(plan.firstArea, plan.lastArea)}.json` }
  if (chance < 0.8) return { method: 'GET', path: '/farm.json' }
  if (chance < 0.85) {
    const body = { notes: `Changed in passing: ${dice.whole(1, 1e9)}` }
    return { method: 'PUT', path: `/log/${dice.whole(1, plan.logCount)}`, body: JSON.stringify(body) }
  }
  const body = {
    type: dice.pick(['farm_activity', 'farm_observation', 'farm_harvest']),
    name: `Written under load ${dice.whole(1, 1e9)}`,
    timestamp: dice.whole(1_600_000_000, 1_700_000_000),
    done: '1',
    asset: [{ id: String(dice.whole(1, plan.assetCount)) }],
    area: [{ id: String(dice.whole(plan.firstArea, plan.lastArea)) }],
    quantity: [{ measure: 'weight', value: `${dice.whole(1, 99)}.5`, unit: { name: 'kg' }, label: 'Load' }],
    ...(dice.happens(0.2) ? { movement: { area: [{ id: String(dice.whole(plan.firstArea, plan.lastArea)) }] } } : {}),
    ...(dice.happens(0.2) ? { images: [photo(dice)] } : {}),
  }
  return { method: 'POST', path: '/log', body: JSON.stringify(body) }
}

/**
 * @typedef {{ status: number, retryAfter: string | undefined, milliseconds: number }} Heard
 * @param {{ port: number, token: string, agent: import('node:http').Agent }} to
 * @param {Ask} ask
 * @returns {Promise<Heard>}
 */
export function send({ port, token, agent }, { method, path, body }) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      (answer) => {
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            milliseconds: performance.now() - began,
          }),
        )
        answer.resume()
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

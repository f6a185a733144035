import { texts, unlikeItself } from './named-inputs.mjs'

const form = 'application/x-www-form-urlencoded'
const long = { 'a long text': unlikeItself(9_000), 'a longer text': unlikeItself(90_000) }

/**
 * Sends every named text as a caller, a client, a token or a key.
 * @param {import('./named-run.mjs').Ask} ask
 * @param {import('./twins.mjs').Asker} client of a manager
 */
export async function sendNamedCallers(ask, client) {
  const post = (/** @type {string} */ path, /** @type {Record<string, string>} */ fields) => {
    const body = Object.entries(fields).map(([name, value]) => `${name}=${percented(value)}`)
    return client.send('POST', path, { body: body.join('&'), type: form })
  }
  for (const [what, text] of Object.entries({ ...texts, ...long })) {
    await ask(`${what} as a client`, () => post('/oauth/token', { grant_type: 'client_credentials', client_id: text }))
    await ask(`${what} as a user`, () =>
      post('/oauth/token', { grant_type: 'password', client_id: 'farm', username: text, password: 'x' }),
    )
    for (const given of ['refresh_token', 'code'])
      await ask(`${what} as a ${given}`, () =>
        post('/oauth/token', { grant_type: grants[given] ?? '', client_id: 'farm', [given]: text }),
      )
    for (const path of ['/oauth/revoke', '/oauth/introspect'])
      await ask(`${what} to ${path}`, () => post(path, { client_id: 'farm', token: text }))
    const basic = `Basic ${Buffer.from(`${text}:x`).toString('base64')}`
    if (text.length > 9_000) continue
    for (const path of ['/log.json', '/oauth/token', '/oauth/introspect'])
      await ask(`${what} by Basic to ${path}`, () =>
        client.send(path === '/log.json' ? 'GET' : 'POST', path, {
          headers: { authorization: basic },
          ...(path === '/log.json' ? {} : { body: 'grant_type=client_credentials&token=x', type: form }),
        }),
      )
    const encoded = percented(text)
    for (const path of addressesWith(encoded)) await ask(`${what} in ${path.slice(0, 60)}`, () => client.get(path))
    const key = text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    const body = JSON.stringify({ type: 'farm_activity', name: 'Keyed', timestamp: 1_600_000_000 })
    for (const header of ['idempotency-key', 'if-match', 'if-none-match', 'cookie'])
      await ask(`${what} as ${header}`, () =>
        client.send('POST', '/log', { body, type: 'application/json', headers: { [header]: key } }),
      )
  }
}

/** @type {Record<string, string>} */
const grants = { refresh_token: 'refresh_token', code: 'authorization_code' }

/** Byte by byte, so that half a character can be sent. */
const percented = (/** @type {string} */ text) => encodeURIComponent(Buffer.from(text).toString())

const addressesWith = (/** @type {string} */ text) => [
  `/oauth/authorize?response_type=code&client_id=${text}&redirect_uri=http://localhost/api/authorized`,
  `/oauth/authorize?response_type=code&client_id=farm_development&redirect_uri=${text}&state=${text}`,
  `/oauth/authorize?response_type=code&client_id=farm_development&redirect_uri=http://localhost/api/authorized&scope=${text}`,
  `/file/1/${text}`,
  `/farm/areas/geojson/${text}`,
  `/api/${text}`,
  `/${text}`,
  `/user.json?name=${text}`,
  `/taxonomy_vocabulary.json?machine_name=${text}`,
  `/taxonomy_term.json?vocabulary=${text}`,
  `/farm_asset.json?flags=${text}`,
  `/log.json?quantity[label]=${text}`,
  `/log.json?notes[ct]=${text}`,
  `/log.json?asset[name]=${text}`,
]

import { sendNamedCallers } from './named-callers.mjs'
import * as named from './named-inputs.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('../ground/client.mjs').Answer} Answer
 * @typedef {import('./twins.mjs').Asker} Asker
 * @typedef {(what: string, send: () => Promise<Answer>) => Promise<Answer | null>} Ask judges the answer
 */

/**
 * Sends every named input in every possible place: it must be refused with a 4xx, or kept exactly.
 * @param {Campaign} campaign
 * @param {Asker} client of a manager
 */
export async function sendNamedInputs({ findings }, client) {
  let sent = 0
  /** @type {Ask} */
  const ask = async (what, send) => {
    sent += 1
    const began = performance.now()
    try {
      const answer = await send()
      const took = performance.now() - began
      findings.check(answer.status < 500, `${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
      if (took > 2_000) {
        // A busy machine may be slow once; an expensive input is slow again.
        const again = performance.now()
        await send()
        findings.check(performance.now() - again < 2_000, `${what} took ${Math.round(took)} ms`)
      }
      return answer
    } catch (error) {
      // A server may close the connection on a refused body.
      findings.check(/EPIPE|ECONNRESET/.test(String(error)), `${what} broke: ${error}`)
      return null
    }
  }
  const log = { type: 'farm_activity', name: 'Named', timestamp: 1_600_000_000 }
  const write = (/** @type {string} */ path, /** @type {string | Buffer} */ body, type = 'application/json') =>
    client.send('POST', path, { body, type: type.replaceAll('\x22', '"') })

  for (const [what, text] of Object.entries(named.texts)) {
    const places = [
      { path: '/log', body: { ...log, name: text }, shown: (/** @type {any} */ record) => record.name },
      { path: '/log', body: { ...log, notes: text }, shown: (/** @type {any} */ record) => record.notes.value },
      {
        path: '/taxonomy_term',
        body: { vocabulary: 'farm_crops', name: text },
        shown: (/** @type {any} */ record) => record.name,
      },
      {
        path: '/farm_asset',
        body: { type: 'equipment', name: 'Named', serial_number: text },
        shown: (/** @type {any} */ record) => record.serial_number,
      },
    ]
    for (const { path, body, shown } of places) {
      const answer = await ask(`${what} in ${path}`, () => write(path, JSON.stringify(body)))
      if (answer?.status !== 201) continue
      const read = await ask(`reading ${what}`, () => client.get(`${path}/${answer.body.id}.json`))
      findings.check(
        read !== null && shown(read.body) === text,
        `${what} in ${path} came back as ${JSON.stringify(shown(read?.body ?? {}))}`,
      )
      await ask(`reading ${what} as XML`, () => client.get(`${path}/${answer.body.id}.xml`))
    }
    await ask(`${what} as a term by name`, () =>
      write('/log', JSON.stringify({ ...log, log_category: [{ name: text }] })),
    )
    await ask(`${what} as a key`, () => write('/log', JSON.stringify({ ...log, [text]: 1 })))
    await ask(`${what} as a bundle`, () => write('/log', JSON.stringify({ ...log, type: text })))
    const encoded = encodeURIComponent(Buffer.from(text).toString())
    for (const query of [
      `name=${encoded}`,
      `name[ct]=${encoded}`,
      `${encoded}=1`,
      `sort=${encoded}`,
      `log_category=${encoded}`,
      `type=${encoded}`,
    ]) {
      await ask(`?${query.slice(0, 60)}`, () => client.get(`/log.json?${query}`))
    }
    await ask(`${what} as an id`, () => client.get(`/log/${encoded}.json`))
  }
  for (const number of named.numbers) {
    for (const field of ['timestamp', 'done', 'id', 'asset', 'uid', 'created']) {
      const { [field]: _, ...rest } = /** @type {Record<string, any>} */ (log)
      const body = `${JSON.stringify(rest).slice(0, -1)},"${field}":${number}}`
      await ask(`${field} ${number}`, () => write('/log', body))
    }
    await ask(`quantity ${number}`, () =>
      write('/log', `${JSON.stringify(log).slice(0, -1)},"quantity":[{"measure":"count","value":${number}}]}`),
    )
    await ask(`weight ${number}`, () =>
      write('/taxonomy_term', `{"vocabulary":"farm_crops","name":"Weighed","weight":${number}}`),
    )
    const bare = encodeURIComponent(number.replaceAll('"', ''))
    for (const query of [
      `timestamp=${bare}`,
      `timestamp[ge]=${bare}`,
      `id=${bare}`,
      `page=${bare}`,
      `limit=${bare}`,
      `done=${bare}`,
    ]) {
      await ask(`?${query}`, () => client.get(`/log.json?${query}`))
    }
  }
  for (const file of named.files) {
    const value = file.startsWith('{') ? JSON.parse(file) : file
    for (const field of ['files', 'images'])
      await ask(`${field} ${file.slice(0, 60)}`, () => write('/log', JSON.stringify({ ...log, [field]: [value] })))
  }
  for (const geometry of named.geometries) {
    const answer = await ask(`geofield ${geometry.slice(0, 60)}`, () =>
      write('/log', JSON.stringify({ ...log, geofield: [{ geom: geometry }] })),
    )
    if (answer?.status === 201) {
      findings.check(
        answer.body.geofield[0]?.geom === geometry,
        `${geometry.slice(0, 60)} came back as ${JSON.stringify(answer.body.geofield).slice(0, 100)}`,
      )
    }
    await ask(`movement ${geometry.slice(0, 60)}`, () =>
      write('/log', JSON.stringify({ ...log, movement: { geometry } })),
    )
  }
  for (const [what, [type, body]] of Object.entries(named.bodies)) {
    for (const path of ['/log', '/farm_asset', '/taxonomy_term', '/batch', '/oauth/token', '/user/login'])
      await ask(`${what} to ${path}`, () => write(path, body, type))
    await ask(`${what} to /log/1`, () => client.send('PUT', '/log/1', { body, type: type.replaceAll('\x22', '"') }))
  }
  for (const query of named.queries) {
    for (const path of ['/log.json', '/farm_asset.xml', '/taxonomy_term', '/user.json', '/farm/areas/geojson'])
      await ask(`${path}?${query.slice(0, 60)}`, () => client.get(`${path}?${encodeURI(query).replaceAll('%25', '%')}`))
  }
  for (const id of named.ids) {
    for (const path of ['/log', '/farm_asset', '/taxonomy_term', '/user', '/file', '/taxonomy_vocabulary'])
      await ask(`${path}/${id}`, () => client.get(`${path}/${encodeURI(id).replaceAll('%25', '%')}.json`))
  }
  await sendNamedCallers(ask, client)
  return sent
}

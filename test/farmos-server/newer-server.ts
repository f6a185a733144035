import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../harness/client.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

/** One resource as the server keeps it: attributes and relationships as they are sent. */
export interface ServedResource {
  readonly type: string
  readonly id: string
  attributes: Json
  relationships: Json
}

export interface NewerFarmos {
  readonly address: string
  readonly resources: ServedResource[]
  readonly requests: readonly string[]
  /** Fails the next requests whose path matches, each once. */
  fail(path: RegExp, status: number): void
  /** Changes the farm, once, before such a request is answered. */
  meanwhile(path: RegExp, change: () => void): void
  endTokens(): void
}

export const newerOwner = { name: 'hanna', password: 'hanna secret' }
export const newerClient = { id: 'mover', secret: 'quiet river' }

const number = ({ type, attributes }: ServedResource): number =>
  attributes[`drupal_internal__${numberWords[type.split('--')[0] ?? ''] ?? 'id'}`] ?? 0
const numberWords: Readonly<Record<string, string>> = { taxonomy_term: 'tid', user: 'uid', file: 'fid' }

interface Start {
  readonly version: string
  readonly resources: ServedResource[]
  readonly files?: Readonly<Record<string, Buffer>>
  /** Types beside those that have resources. */
  readonly types?: readonly string[]
  /** UUIDs that this account may not see: they are left out of lists with a note. */
  readonly hidden?: readonly string[]
}

/** A farmOS of the newer generation on a free port: pages of 50, links, filters by `changed`, OAuth. */
export async function startNewerFarmos(start: Start): Promise<NewerFarmos> {
  const { resources, files = {}, hidden = [] } = start
  const requests: string[] = []
  const failures: { path: RegExp; status: number }[] = []
  const changes: { path: RegExp; change: () => void }[] = []
  const tokens = new Set<string>()
  let issued = 0

  const typesNow = () => [...new Set([...resources.map(({ type }) => type), ...(start.types ?? [])])]
  const visible = () => resources.filter(({ id }) => !hidden.includes(id))

  const entry = (base: string, isKnown: boolean) => ({
    jsonapi: { version: '1.0' },
    data: [],
    meta: {
      farm: { name: 'Willow Bend', url: base, version: start.version, system_of_measurement: 'metric' },
      links: isKnown ? { me: { meta: { id: 'me' }, href: `${base}/api/user/user/me` } } : {},
    },
    links: Object.fromEntries([
      ['self', { href: `${base}/api` }],
      ...typesNow().map((type) => [type, { href: `${base}/api/${type.replace('--', '/')}` }]),
    ]),
  })

  const list = (url: URL, type: string, base: string) => {
    const query = url.searchParams
    const since = Number(query.get('filter[since][condition][value]') ?? 0)
    const sort = query.get('sort') ?? ''
    const all = visible()
      .filter((one) => one.type === type)
      .filter(({ attributes }) => since === 0 || Date.parse(attributes.changed) / 1000 >= since)
      .sort((one, other) => number(one) - number(other))
    if (sort === '-changed') all.sort((one, other) => (one.attributes.changed < other.attributes.changed ? 1 : -1))
    else if (sort.startsWith('-')) all.reverse()
    const limit = Math.min(50, Number(query.get('page[limit]') ?? 50))
    const offset = Number(query.get('page[offset]') ?? 0)
    const fields = query.get(`fields[${type}]`)
    const next = new URL(url)
    next.searchParams.set('page[offset]', String(offset + limit))
    const left = resources.filter((one) => one.type === type && hidden.includes(one.id))
    const omitted = left.map(({ id }, index) => [
      `item--${index}`,
      { href: `${base}/api/${type.replace('--', '/')}/${id}` },
    ])
    return {
      data: all.slice(offset, offset + limit).map((one) => shown(one, fields)),
      ...(left.length === 0
        ? {}
        : { meta: { omitted: { detail: 'Some resources are left out.', links: Object.fromEntries(omitted) } } }),
      links: { self: { href: url.href }, ...(offset + limit < all.length ? { next: { href: next.href } } : {}) },
    }
  }

  const shown = ({ type, id, attributes, relationships }: ServedResource, fields: string | null) => {
    const wanted = (all: Json) =>
      fields === null
        ? all
        : Object.fromEntries(Object.entries(all).filter(([name]) => fields.split(',').includes(name)))
    const related = Object.entries(wanted(relationships)).map(([name, data]) => [name, { data }])
    return { type, id, attributes: wanted(attributes), relationships: Object.fromEntries(related) }
  }

  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const base = `http://${incoming.headers.host}`
    const url = new URL(incoming.url ?? '/', base)
    requests.push(url.pathname + decodeURIComponent(url.search))
    const path = requests.at(-1) ?? ''
    const change = changes.findIndex((one) => one.path.test(path))
    if (change >= 0) changes.splice(change, 1)[0]?.change()
    const failure = failures.findIndex((one) => one.path.test(path))
    if (failure >= 0) return send(response, failures.splice(failure, 1)[0]?.status ?? 500, {})
    if (url.pathname === '/oauth/token') return grant(response, new URLSearchParams(Buffer.concat(pieces).toString()))
    const isKnown = tokens.has((incoming.headers.authorization ?? '').replace('Bearer ', ''))
    if (url.pathname === '/api') return send(response, 200, entry(base, isKnown))
    if (!url.pathname.startsWith('/api/') && !(url.pathname in files)) return send(response, 404, {})
    if (!isKnown) return send(response, 403, { errors: [{ status: '403' }] })
    const file = files[url.pathname]
    if (file !== undefined) return void response.writeHead(200, { 'content-type': 'image/png' }).end(file)
    const [, , family, bundle, uuid] = url.pathname.split('/')
    const type = `${family}--${bundle}`
    if (!typesNow().includes(type)) return send(response, 404, {})
    if (uuid === 'resource') return send(response, 404, {})
    if (uuid === undefined) return send(response, 200, list(url, type, base))
    const one = visible().find(({ id }) => id === uuid)
    return one === undefined ? send(response, 404, {}) : send(response, 200, { data: shown(one, null) })
  })

  function grant(response: ServerResponse, body: URLSearchParams) {
    const scope = body.get('scope')
    if (scope !== null && scope !== 'farm_manager') return send(response, 400, { error: 'invalid_scope' })
    const isPassword =
      body.get('grant_type') === 'password' &&
      body.get('username') === newerOwner.name &&
      body.get('password') === newerOwner.password
    const isClient = body.get('client_id') === newerClient.id && body.get('client_secret') === newerClient.secret
    const isRefresh = body.get('grant_type') === 'refresh_token' && body.get('refresh_token') === `again-${issued}`
    if (!isPassword && !isClient && !isRefresh) return send(response, 400, { error: 'invalid_grant' })
    issued += 1
    tokens.add(`ey.${issued}`)
    return send(response, 200, {
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: `ey.${issued}`,
      ...(isClient ? {} : { refresh_token: `again-${issued}` }),
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEndOfFile(async () => {
    server.close()
    server.closeAllConnections()
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    resources,
    requests,
    fail: (path, status) => failures.push({ path, status }),
    meanwhile: (path, change) => changes.push({ path, change }),
    endTokens: () => tokens.clear(),
  }
}

const send = (response: ServerResponse, status: number, body: Json) =>
  response.writeHead(status, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify(body))

import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { documentedPages, nameOfPage } from '../../build/documentation.mjs'
import { readers } from '../../src/doors/docs/readers.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { openFarm } from '../harness/farm.ts'

const hive = { label: 'Hive', plural: 'Hives', fields: { frames: kit.whole('farm_asset_hive') } }
const farm = await openFarm({ engine: 'sqlite', farm: kit.withAssetType(stockFarm, 'hive', hive) })
const viewer = await farm.login('viewer')
const names = documentedPages().map(nameOfPage)
const asBrowser = { accept: 'text/html' }

describe('the pages of the documentation', () => {
  test('are all served, to anybody, with a title, and are listed for some reader', async () => {
    const listed = readers.flatMap(({ pages }) => Object.keys(pages))
    expect([...new Set(listed)].sort()).toEqual(names.toSorted())
    for (const name of names) {
      const { status, headers, text } = await farm.anonymous.get(`/docs/${name}`, asBrowser)
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, 'text/html; charset=utf-8'])
      expect(text).toMatch(/<h1>[^<]+<\/h1>/)
    }
  })

  test('begin at /docs, with or without a slash', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { status, text } = await farm.anonymous.get(path, asBrowser)
      expect([path, status]).toEqual([path, 200])
      for (const name of names) expect(text).toContain(`href="/docs/${name}"`)
    }
  })

  test('are mentioned on the login page', async () => {
    expect((await farm.anonymous.get('/user/login', asBrowser)).text).toContain('href="/docs"')
  })

  test('forbid whatever is inline or from elsewhere, and have none', async () => {
    for (const path of ['/docs', '/docs/concepts', '/docs/api', '/docs/api/operations/createLog']) {
      const { headers, text } = await viewer.get(path, asBrowser)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; form-action 'self';/,
      )
      expect(text).not.toMatch(
        /<(?:script|style|img|iframe|form|link (?!rel="stylesheet" href="\/furrow\.css"))|style=/,
      )
    }
  })

  test('show their pictures, which the farm serves itself, and may load no others', async () => {
    for (const [name, count] of [
      ['app', 7],
      ['readme', 4],
    ] as const) {
      const { headers, text } = await farm.anonymous.get(`/docs/${name}`, asBrowser)
      expect(headers.get('content-security-policy')).toContain("img-src 'self';")
      const sources = [...text.matchAll(/<img src="([^"]+)" alt="[^"]+">/g)].map(([, source]) => source ?? '')
      expect([name, sources.length]).toEqual([name, count])
      for (const source of sources) {
        const picture = await fetch(farm.base + source)
        expect([source, picture.status, picture.headers.get('content-type')]).toEqual([source, 200, 'image/webp'])
        expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
        const etag = picture.headers.get('etag') ?? ''
        expect((await fetch(farm.base + source, { headers: { 'if-none-match': etag } })).status).toBe(304)
      }
    }
  })

  test.each([
    'nothing.webp',
    'today',
    '..%2ftitles.json',
    '..%2f..%2f..%2fdocs%2fpictures%2ftoday.webp',
    'x.constructor',
  ])('have no picture at %s', async (name) => {
    expect((await farm.anonymous.get(`/docs/pictures/${name}`)).status).toBe(404)
  })

  test('are told again only when they have changed, and by HEAD without a body', async () => {
    for (const path of ['/docs', '/docs/concepts', '/docs/api', '/docs/api/schemas/log']) {
      const { headers, text } = await viewer.get(path)
      const etag = headers.get('etag') ?? ''
      const again = await viewer.get(path, { 'if-none-match': etag })
      expect(again).toMatchObject({ status: 304, text: '' })
      for (const name of ['content-security-policy', 'cache-control', 'vary'])
        expect(again.headers.get(name)).toBe(headers.get(name))
      expect(await viewer.get(path, { 'if-none-match': '"another"' })).toMatchObject({ status: 200, text })
      const head = await viewer.send('HEAD', path)
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
    }
  })

  test.each(['nothing', 'concepts.md', 'rules', 'api/nothing', 'constructor', '%E2%80%AE'])(
    'has none at %s, and says so on a page',
    async (name) => {
      const { status, headers, text } = await farm.anonymous.get(`/docs/${name}`, asBrowser)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('The documentation has no such page.')
    },
  )

  test('says so to a program in its own words', async () => {
    const { status, body } = await farm.anonymous.get('/docs/titles.json')
    expect([status, body.type]).toEqual([404, 'urn:furrow:refusal:not-found'])
  })

  test.each([
    '/docs/..%2f..%2fpackage.json',
    '/docs/..%2f..%2fsrc%2fversion',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/../../package.json',
    '/docs/../dist/docs/concepts',
    '/docs/rules/..%2fconcepts',
    '/docs/..%5c..%5cpackage.json',
    '/docs/concepts%00.html',
    '/docs//etc/passwd',
    '/docs/%252e%252e%252fpackage.json',
  ])('leads nowhere else: %s', async (path) => {
    const { status, text } = await asIs(path)
    expect([path, status === 404 || status === 400]).toEqual([path, true])
    expect(text).not.toMatch(/"dependencies"|root:|class="text"/)
  })
})

/** As it is written: `fetch` would tidy up the path. */
const asIs = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(farm.base)
    request({ hostname, port, path, headers: asBrowser }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })

describe('the interface of this farm, for people', () => {
  test('shows types of modules to those who may read records only, and the rest to anybody', async () => {
    const paths = ['/docs/api', '/docs/api/operations/createLog', '/docs/api/schemas/farm_asset']
    const texts = async (client: typeof viewer) =>
      (await Promise.all(paths.map((path) => client.get(path, asBrowser)))).map(
        ({ status, text }) => `${status} ${text}`,
      )
    expect((await texts(viewer)).join()).toContain('farm_asset_hive')
    for (const other of [farm.anonymous, await farm.login(null), await farm.login('viewer', 'farm_info')]) {
      for (const text of await texts(other)) expect(text).toMatch(/^200 /)
      expect((await texts(other)).join()).not.toContain('farm_asset_hive')
    }
  })

  test('has every operation and every schema of /openapi.json', async () => {
    const description = await viewer.read('/openapi.json')
    const { text } = await viewer.get('/docs/api')
    const ids = [...JSON.stringify(description.paths).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    for (const id of ids) expect(text).toContain(`href="/docs/api/operations/${id}"`)
    expect(description.components.schemas).not.toEqual({})
    for (const name of Object.keys(description.components.schemas))
      expect(text).toContain(`href="/docs/api/schemas/${name}"`)
    expect(ids.length).toBeGreaterThan(50)
  })

  test('shows parameters, body, answers and nested values', async () => {
    const { text } = await viewer.get('/docs/api/operations/listLogsJson')
    expect(text).toContain('<code>timestamp[ge]</code>')
    expect(text).toContain('<code>GET /log.json</code>')
    const { text: create } = await viewer.get('/docs/api/operations/createLog')
    expect(create).toContain(
      '<code>application/json</code>, <code>application/xml</code>: <a href="/docs/api/schemas/log_new">log_new</a>',
    )
    expect(create).toMatch(/<code>201<\/code>.*<code>422<\/code>/s)
    const { text: health } = await viewer.get('/docs/api/operations/readHealth')
    expect(health).toContain('nobody is asked who they are')
    const { text: info } = await viewer.get('/docs/api/schemas/Info')
    expect(info).toMatch(/<td[^>]*><table>/)
  })

  test('has what a module adds', async () => {
    expect((await viewer.get('/docs/api/schemas/farm_asset_hive')).text).toContain('farm_asset_hive')
  })

  test.each(['operations/nothing', 'schemas/nothing', 'schemas/constructor', 'schemas/__proto__'])(
    'has no %s',
    async (path) => {
      expect((await viewer.get(`/docs/api/${path}`, asBrowser)).status).toBe(404)
    },
  )
})

test('every link on every page leads somewhere', async () => {
  const seen = new Map<string, string>()
  const waiting = ['/docs']
  const broken: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { status, text } = await viewer.get(path, asBrowser)
    if (status !== 200) broken.push(`${path}: ${status}`)
    seen.set(path, text)
    for (const link of linksIn(text, path)) {
      if (!seen.has(link.pathname) && !waiting.includes(link.pathname)) {
        if (link.pathname.startsWith('/docs')) waiting.push(link.pathname)
        else seen.set(link.pathname, '')
      }
    }
  }
  for (const [path, text] of seen) {
    for (const { pathname, hash } of linksIn(text, path)) {
      const isThere = hash === '' || seen.get(pathname)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`)
      if (!isThere) broken.push(`${path}: ${pathname}${hash}`)
    }
  }
  for (const path of [...seen.keys()].filter((one) => !one.startsWith('/docs'))) {
    const { status } = await viewer.get(path, asBrowser)
    if (status !== 200 && !(path === '/' && status === 302)) broken.push(`${path}: ${status}`)
  }
  expect(broken).toEqual([])
  expect(seen.size).toBeGreaterThan(200)
})

/** Links that stay on the farm. */
const linksIn = (text: string, path: string): URL[] =>
  [...text.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link.replaceAll('&amp;', '&'), farm.base + path))
    .filter(({ origin }) => origin === farm.base)

import { readdir, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { appFolder } from '../../src/shipped-folders.ts'
import { openFarm } from '../harness/farm.ts'
import { root } from '../house/tree.ts'

const farm = await openFarm()
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  farm.anonymous.send(method, path, { headers })

const built = async (name: string) => readFile(new URL(name, appFolder), 'utf8')

/** The names of the sheet and of the first script, as the page has them. */
async function namesInPage(): Promise<readonly string[]> {
  const { text } = await ask('/app/')
  return [...text.matchAll(/\/app\/([\w-]+\.(?:js|css))"/g)].map(([, name = '']) => name)
}

describe('the page of the app', () => {
  test('is there under every address below /app/, for anybody', async () => {
    const page = await built('app.html')
    for (const path of ['/app/', '/app/map', '/app/area/12', '/app/map?area=12&at=2026-05-03', '/app/app.html']) {
      const answer = await ask(path)
      expect([path, answer.status, answer.text]).toEqual([path, 200, page])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('public, no-cache')
    }
    const bare = await ask('/app')
    expect([bare.status, bare.headers.get('location')]).toEqual([302, `${farm.base}/app/`])
  })

  test('may do nothing but what the app does', async () => {
    const { headers } = await ask('/app/records')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; " +
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types furrow",
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('has nothing inline', async () => {
    const page = await built('app.html')
    expect(page).not.toMatch(/<style| style=| on\w+=|<script(?![^>]* src=)/)
  })

  test('is not sent to who has it, but its policy is', async () => {
    const first = await ask('/app/')
    const again = await ask('/app/map', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
    expect(again.headers.get('content-type')).toBeNull()
  })

  test('answers a HEAD, and a login form that is posted there again', async () => {
    const head = await ask('/app/log/7', {}, 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
    const form = new URLSearchParams({ name: 'ada', pass: 'x', form_id: 'user_login' })
    const posted = await farm.anonymous.send('POST', '/app/', { body: form })
    expect([posted.status, posted.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await ask('/app/', {}, 'DELETE')).toMatchObject({ status: 405 })
  })
})

describe('the files of the app', () => {
  test('are named after what is in them and may be kept for ever', async () => {
    const names = await namesInPage()
    expect(names.length).toBeGreaterThanOrEqual(2)
    for (const name of names) {
      const answer = await ask(`/app/${name}`)
      expect([answer.status, answer.text]).toEqual([200, await built(name)])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/)
    }
  })

  test('come as small as the caller takes them', async () => {
    const [name = ''] = await namesInPage()
    const whole = await readFile(new URL(name, appFolder))
    for (const [accepted, sent, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const answer = await rawBytes(`/app/${name}`, accepted)
      expect([accepted, answer.coding, answer.vary]).toEqual([accepted, sent, 'Accept-Encoding'])
      expect(unpack(answer.bytes).equals(whole)).toBe(true)
      expect(answer.bytes.length).toBeLessThan(whole.length)
    }
    expect((await rawBytes(`/app/${name}`, 'identity')).coding).toBeUndefined()
  })

  test('end where the build ends: no other name, no way out of the folder', async () => {
    const outside = ['/app/../package.json', '/app/..%2f..%2fpackage.json', '/app/%2e%2e/%2e%2e/package.json']
    const unlisted = [
      '/app/app-00000000.js',
      '/app/files.json',
      '/app/constructor.js',
      '/app/app.html.br',
      '/app/x.css',
    ]
    const secret = JSON.parse(await readFile(`${root}/package.json`, 'utf8')).description
    for (const path of [...outside, ...unlisted]) expect((await ask(path)).text).not.toContain(secret)
    for (const path of unlisted.filter((path) => !path.endsWith('.br')))
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })

  test('of the system are there: manifest under the name of the farm, icons', async () => {
    const manifest = await ask('/app/manifest.webmanifest')
    expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    expect(manifest.body).toMatchObject({ name: 'My farm', id: '/app/', start_url: '/app/', scope: '/app/' })
    expect(manifest.body.icons).not.toEqual([])
    for (const { src, type } of manifest.body.icons) {
      const icon = await ask(src)
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type])
    }
  })
})

describe('the worker of the app', () => {
  test('is asked for anew each time, under a policy that lets it fetch', async () => {
    const { status, headers, text } = await ask('/app/sw.js')
    const names = (await namesInPage()).filter((name) => !name.startsWith('owner-'))
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
    const ofOwner = (await readdir(appFolder)).filter((name) => /^owner-.*\.(?:js|css)$/.test(name))
    expect(names).not.toEqual([])
    expect(ofOwner).not.toEqual([])
    for (const name of names) expect(text).toContain(name)
    for (const name of ofOwner) expect(text).not.toContain(name)
    expect(text).toContain('app.html')
    expect(text).not.toContain('icon-512.png')
  })
})

test('without the app nothing is served below /app/, and programs read what it would have read', async () => {
  const plain = await openFarm({ settings: { app: false } })
  for (const path of ['/app', '/app/', '/app/map', '/app/sw.js', '/app/manifest.webmanifest'])
    expect([path, (await plain.anonymous.get(path)).status]).toEqual([path, 404])
  const manager = await plain.login()
  for (const path of ['/me.json', '/catalogue.json']) expect(await manager.get(path)).toMatchObject({ status: 200 })
})

test('scripts of other places are not shown the app', async () => {
  const { headers } = await ask('/app/', { origin: 'https://elsewhere.example' })
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

/** What went over the wire, which fetch would have unpacked. */
async function rawBytes(path: string, accepted: string) {
  return new Promise<{ coding: string | undefined; vary: string | undefined; bytes: Buffer }>((resolve, reject) => {
    get(`${farm.base}${path}`, { headers: { 'accept-encoding': accepted } }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.on('end', () => {
        const { 'content-encoding': coding, vary } = answer.headers
        resolve({ coding, vary, bytes: Buffer.concat(pieces) })
      })
    }).on('error', reject)
  })
}

import { beforeAll, expect, it } from 'vitest'
import { renameFile } from '../../src/storage/file-rows.ts'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { dataUri, png, pngBytes, textFile } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const page = '<!doctype html><script>alert(1)</script>'

async function addressOf(uri: string): Promise<string> {
  const id = await client.create('log', { name: 'L', type: 'farm_activity', timestamp: '1', files: [uri] })
  const [address] = (await client.read(`/log/${id}.json?files=link`)).files
  return new URL(address).pathname
}

it.each([
  ['a picture', dataUri('image/png', pngBytes(1, 1)), 'image/png'],
  ['a picture that was declared otherwise', dataUri('text/html', pngBytes(1, 1)), 'image/png'],
  ['text', textFile('note'), 'application/octet-stream'],
  ['a page', dataUri('text/html', page), 'application/octet-stream'],
  ['a page that was declared a picture', dataUri('image/png', page), 'application/octet-stream'],
  ['a drawing', dataUri('image/svg+xml', '<svg/>'), 'application/octet-stream'],
])('2.9 %s is downloaded as something that no browser runs', async (_what, uri, type) => {
  const path = await addressOf(uri)
  const answer = await client.get(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${path.split('/').at(-1)}"`)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  expect(answer.headers.get('cache-control')).toMatch(/private|no-store/)
})

it('2.9 a download is byte for byte what was sent', async () => {
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, nth) => (nth * 7) % 256))
  const path = await addressOf(dataUri('application/octet-stream', bytes))
  const answer = await fetch(farm.base + path, { headers: { authorization: `Bearer ${client.login.token}` } })
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
})

it('2.9 files are for those who may read records', async () => {
  const path = await addressOf(png())
  const infoPath = `${path.split('/').slice(0, 3).join('/')}.json`
  for (const address of [path, infoPath]) {
    expect((await farm.anonymous.get(address)).status).toBe(403)
    expect((await (await farm.login(null)).get(address)).status).toBe(403)
    expect((await (await farm.login('manager', 'farm_info')).get(address)).status).toBe(403)
    expect((await (await farm.login('viewer')).get(address)).status).toBe(200)
  }
})

it('2.9 a file describes itself', async () => {
  farm.setClock(1_700_000_000)
  const id = await client.create('log', { name: 'L', type: 'farm_harvest', timestamp: '1', images: [png('x')] })
  farm.setClock(null)
  const [url] = (await client.read(`/log/${id}.json?files=link`)).images
  const fid = url.split('/').at(-2)
  const { user } = await client.read('/farm.json')
  expect(await client.read(`/file/${fid}.json`)).toEqual({
    fid,
    id: fid,
    name: 'farm_harvest_image_1700000000.png',
    mime: 'image/png',
    size: '25',
    url: `${farm.base}/file/${fid}/farm_harvest_image_1700000000.png`,
    timestamp: '1700000000',
    owner: { uri: `${farm.base}/user/${user.uid}`, id: user.uid, resource: 'user' },
  })
})

/** A file as an import or an earlier version may have left it, under any name. */
async function fileCalled(name: string): Promise<{ readonly log: string; readonly fid: string }> {
  const log = await client.create('log', { name: 'L', type: 'farm_activity', timestamp: '1', files: [textFile(name)] })
  const fid = await farm.installation.database.write(async (tx) => {
    const { id } = await tx.selectFrom('file').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    await renameFile(tx, { id, name, changed: 1 })
    return String(id)
  })
  return { log, fid }
}

const names = [
  ...['日本語.png', 'Łódź.jpg', '5€ – it’s.txt', 'Ku\u0308he.jpg', 'Tabelle 100% #1.csv', 'was?.txt', "a'(b)*!~.txt"],
  ...['50%ff.csv', 'a%20b.txt', 'a/b\\c.txt', 'a & b + c;d=e,f@g:h[i]|j^k{l}.txt', '"quoted".txt', '😀.gif', '.hidden'],
  ...['a\nb.txt', '\u202etxt.exe', '\u0085', ' ', '.', '..', 'plain.txt'],
]

it.each(names)('2.9 a file called %j is downloaded, and its address is followed as it is given', async (name) => {
  const { log, fid } = await fileCalled(name)
  const { files } = await client.read(`/log/${log}.json?files=link`)
  const { url } = await client.read(`/file/${fid}.json`)
  const uuid = (await client.read(`/log/${log}.json?with=uuid`)).uuid
  const newer = (await client.get(`/api/log/activity/${uuid}?include=file`)).body.included[0].attributes
  expect(files).toEqual([url])
  expect(farm.base + newer.uri.url).toBe(url)
  expect(url).toMatch(/^http:\/\/[\w.:]+\/file\/\d+\/[\w.~!%-]+$/)
  if (!/^\.+$/.test(name)) expect(decodeURIComponent(url.split('/').at(-1))).toBe(name)
  const answer = await client.get(url.slice(farm.base.length))
  expect([answer.status, answer.text], answer.text).toEqual([200, name])
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[ !#$&-[\]-~]+"(; filename\*=UTF-8''[\w.~!%-]+)?$/,
  )
  for (const form of ['json', 'xml']) expect((await client.get(`/file/${fid}.${form}`)).status).toBe(200)
  expect((await client.get(`/log.csv?id=${log}`)).text).toContain(url)
})

it.each([
  ['日本語.png', `attachment; filename="_.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.png`],
  ['Ku\u0308he.jpg', `attachment; filename="Kuhe.jpg"; filename*=UTF-8''K%C3%BChe.jpg`],
  ['it’s 5%.txt', `attachment; filename="it_s 5_.txt"; filename*=UTF-8''it%E2%80%99s%205%25.txt`],
  ['../a"b.txt', `attachment; filename="_._a_b.txt"; filename*=UTF-8''_._a%22b.txt`],
  ['a b (1).txt', 'attachment; filename="a b (1).txt"'],
])('2.9 a file called %j is saved under its name, by RFC 6266', async (name, disposition) => {
  const { fid } = await fileCalled(name)
  expect((await client.get(`/file/${fid}/x`)).headers.get('content-disposition')).toBe(disposition)
})

it.each(names)('2.9 the address of a file called %j is taken in every form it has had', async (name) => {
  const { log, fid } = await fileCalled(name)
  const { files, version } = await client.read(`/log/${log}.json?files=link&with=version`)
  const given = `${farm.base}/file/${fid}/${name}`
  const forms = [
    files[0],
    given,
    `/file/${fid}/${name}`,
    ...(/[.\\\s]$|^[.\s]|\n|\//.test(name) ? [] : [new URL(given).pathname]),
  ]
  for (const file of forms) {
    for (const sent of [file, { uri: file }]) {
      const answer = await client.put(`/log/${log}?with=version`, { files: [sent] })
      expect([answer.status, answer.body.version], `${file} ${answer.text}`).toEqual([200, version])
    }
  }
  for (const file of [`/file/${fid}/another.txt`, `${given}x`]) {
    const answer = await client.put(`/log/${log}`, { files: [file] })
    expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'files[0]'])
  }
  // A program that takes it for a whole address asks for less, or for what cannot be decoded.
  if (!/^\.+$/.test(name)) expect((await client.get(new URL(`${given}.`).pathname)).status).toBe(200)
})

it.each(['/file/999999/x.png', '/file/999999.json', '/file/x/y', '/file/__proto__/y', '/file/0/x', '/file.json'])(
  '2.9 there is nothing at %s',
  async (path) => {
    expect((await client.get(path)).status).toBe(404)
  },
)

import { beforeAll, expect, it } from 'vitest'
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

it.each(['/file/999999/x.png', '/file/999999.json', '/file/x/y', '/file/__proto__/y', '/file/0/x', '/file.json'])(
  '2.9 there is nothing at %s',
  async (path) => {
    expect((await client.get(path)).status).toBe(404)
  },
)

import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { dataUri, pngBytes, textFile } from '../records/sample-files.ts'

const mebibyte = 1_048_576
let client: Client

beforeAll(async () => {
  client = await (await openFarm()).login()
})

const post = (more: Record<string, unknown>) =>
  client.post('/log', { name: 'L', type: 'farm_activity', timestamp: '1', ...more })
const fieldsOf = (answer: { body: Json }) => answer.body.errors.map((fault: Json) => fault.field)
const many = <T>(count: number, item: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => item(nth))

describe('8 values', () => {
  it.each(
    shareOfThisEngine([
      ['text', 65_536, (length: number) => ({ type: 'farm_medical', vet: 'x'.repeat(length) }), 'vet'],
      ['notes', 65_536, (length: number) => ({ notes: 'x'.repeat(length) }), 'notes.value'],
      ['data', mebibyte, (length: number) => ({ data: 'x'.repeat(length) }), 'data'],
      ['a flag', 64, (length: number) => ({ flags: ['x'.repeat(length)] }), 'flags[0]'],
    ]),
  )('%s has up to %i characters', async (_what, length, fields, field) => {
    expect((await post(fields(length))).status).toBe(201)
    const answer = await post(fields(length + 1))
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toEqual([field])
  })

  it('a list has up to 1000 items, parts up to 200', async () => {
    expect((await post({ flags: many(1000, (nth) => `f${nth}`) })).status).toBe(201)
    expect(fieldsOf(await post({ flags: many(1001, (nth) => `f${nth}`) }))).toEqual(['flags'])
    expect((await post({ quantity: many(200, (nth) => ({ value: nth })) })).status).toBe(201)
    expect(fieldsOf(await post({ quantity: many(201, (nth) => ({ value: nth })) }))).toEqual(['quantity'])
  })

  it('a geometry has up to 1,048,576 characters and 100,000 points', async () => {
    const line = (points: number) => `LINESTRING (${many(points, () => '1 2').join(',')})`
    expect((await post({ geofield: line(100_000) })).status).toBe(201)
    expect((await post({ geofield: line(100_001) })).status).toBe(422)
    expect((await post({ geofield: `POINT (1 2)${' '.repeat(mebibyte)}` })).status).toBe(422)
  })
})

describe('8 files', () => {
  it('a record has up to 20, photos and others together', async () => {
    const files = many(20, (nth) => textFile(String(nth)))
    const { id } = (await post({ files })).body
    expect(id).toMatch(/^\d+$/)
    expect(fieldsOf(await post({ files: [...files, textFile('one more')] }))).toEqual(['files'])
    const image = dataUri('image/png', pngBytes(1, 1))
    expect(fieldsOf(await post({ files, images: [image] }))).toEqual(['files'])
    expect(fieldsOf(await client.put(`/log/${id}`, { images: [image] }))).toEqual(['images'])
    expect((await client.put(`/log/${id}`, { images: [image], files: files.slice(1) })).status).toBe(200)
  })

  it('a file has up to 10 MiB, all of a record up to 20 MiB', async () => {
    const large = (length: number, fill: number) => dataUri('application/pdf', Buffer.alloc(length, fill))
    const { id } = (await post({ files: [large(10 * mebibyte, 1)] })).body
    expect(id).toMatch(/^\d+$/)
    expect(fieldsOf(await post({ files: [large(10 * mebibyte + 1, 1)] }))).toEqual(['files[0]'])
    const photo = dataUri('image/jpeg', Buffer.alloc(10 * mebibyte, 2))
    expect((await client.put(`/log/${id}`, { images: [photo] })).status).toBe(200)
    expect(fieldsOf(await client.put(`/log/${id}`, { images: [photo, dataUri('image/png', 'x')] }))).toEqual(['images'])
    expect((await client.get(`/log/${id}.json`)).status).toBe(200)
  })

  it('an image has up to 50 million pixels by what its header says', async () => {
    const image = (width: number, height: number) => dataUri('image/png', pngBytes(width, height))
    expect((await post({ images: [image(10_000, 5000)] })).status).toBe(201)
    expect(fieldsOf(await post({ images: [image(10_000, 5001)] }))).toEqual(['images[0]'])
    expect(fieldsOf(await post({ images: [image(50_000, 50_000)] }))).toEqual(['images[0]'])
  })

  it('a list with its files inline has up to 32 MiB of them', async () => {
    const ids: string[] = []
    for (const fill of [3, 4]) {
      const file = dataUri('application/pdf', Buffer.alloc(9 * mebibyte, fill))
      ids.push(
        (await post({ files: [file, dataUri('application/pdf', Buffer.alloc(9 * mebibyte, fill + 10))] })).body.id,
      )
    }
    const query = ids.map((id) => `id[]=${id}`).join('&')
    const answer = await client.get(`/log.json?${query}&files=inline`)
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatch(/narrow/)
    expect((await client.get(`/log.json?id=${ids[0]}&files=inline`)).status).toBe(200)
    expect((await client.get(`/log.json?${query}`)).status).toBe(200)
  })
})

describe('8 bodies', () => {
  const sendText = (body: string) =>
    client.send('POST', '/log', { headers: { 'content-type': 'application/json' }, body })

  it('have up to 2 MiB beside their files', async () => {
    expect((await post({ colour: 'x'.repeat(2 * mebibyte - 200) })).status).toBe(422)
    expect((await post({ colour: 'x'.repeat(2 * mebibyte) })).status).toBe(413)
  })

  it('have up to 32 MiB in all', async () => {
    expect((await sendText('x'.repeat(32 * mebibyte + 1))).status).toBe(413)
  })

  it('are up to 32 levels deep and have up to 10,000 keys', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    expect((await sendText(deep(32))).status).toBe(422)
    expect((await sendText(deep(33))).status).toBe(413)
    expect((await sendText('['.repeat(200_000))).status).toBe(413)
    const wide = (keys: number) => `{${many(keys, (nth) => `"k${nth}":1`).join(',')}}`
    expect((await sendText(wide(10_000))).status).toBe(422)
    expect((await sendText(wide(10_001))).status).toBe(413)
  })
})

it('8 an address has up to 8 KiB', async () => {
  const address = (length: number) => `/log.json?name=${'x'.repeat(length - '/log.json?name='.length)}`
  expect((await client.get(address(8192))).status).toBe(200)
  expect((await client.get(address(8193))).status).toBe(414)
})

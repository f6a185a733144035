import { describe, expect, test } from 'vitest'
import { readBody, readForm } from '../../src/doors/http/body.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'
import { openFloor } from './floor.ts'

const echo = () =>
  openFloor((app) => {
    app.post('/body', (request) => ({ tree: readBody(request) }))
    app.post('/form', (request) => {
      const { values, repeated } = readForm(request)
      return { values: [...values], repeated: [...repeated] }
    })
  })

async function post(url: string, body: string | Buffer | null, headers: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body, headers })
  return { status: response.status, answer: (await response.json()) as { type?: string } }
}

describe('a body is read by its Content-Type (spec 1.2)', () => {
  test.each([
    ['application/json', '{"name":"Kale"}'],
    ['application/json; charset=utf-8', '{"name":"Kale"}'],
    ['Application/JSON;charset="UTF-8"', '{"name":"Kale"}'],
    ['application/xml', '<log><name>Kale</name></log>'],
    ['text/xml; charset=UTF-8', '<?xml version="1.0" encoding="utf-8"?><log><name>Kale</name></log>'],
  ])('reads a body of type %s', async (type, body) => {
    const { address } = await echo()
    const { status, answer } = await post(`${address}/body`, body, { 'content-type': type, accept: 'json' })
    expect([status, answer]).toEqual([200, { tree: { name: 'Kale' } }])
  })

  test.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/vnd.api+json',
    'multipart/form-data',
    'nonsense',
    'a/b c',
  ])('%s is 415', async (type) => {
    const { address } = await echo()
    const { status, answer } = await post(`${address}/body`, '{}', { 'content-type': type })
    expect([status, answer.type]).toEqual([415, 'urn:furrow:refusal:unsupported-media-type'])
  })

  test('no Content-Type is 415, a compressed body too', async () => {
    const { address } = await echo()
    expect((await post(`${address}/body`, Buffer.from('{}'), {})).status).toBe(415)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await post(`${address}/body`, '{}', headers)).status).toBe(415)
  })

  test.each(['application/json', 'application/xml'])('an empty %s body is 400', async (type) => {
    const { address } = await echo()
    const headers = { 'content-type': type, accept: 'application/json' }
    for (const body of [null, '', '  \n']) {
      const { status, answer } = await post(`${address}/body`, body, headers)
      expect([status, answer.type]).toEqual([400, 'urn:furrow:refusal:unreadable-body'])
    }
  })
})

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test('keeps the order, tells what came twice, and reads plus and percent', async () => {
    const { address } = await echo()
    const { answer } = await post(`${address}/form`, 'a=1+2&b=%C3%A9%26&&a=3&c&d=', form)
    expect(answer).toEqual({
      values: [
        ['a', '1 2'],
        ['b', 'é&'],
        ['c', ''],
        ['d', ''],
      ],
      repeated: ['a'],
    })
  })

  test('may be a JSON object of plain values', async () => {
    const { address } = await echo()
    const { answer } = await post(`${address}/form`, '{"a":"x","b":5,"c":null,"d":true}', {
      'content-type': 'application/json',
    })
    expect(answer).toEqual({
      values: [
        ['a', 'x'],
        ['b', '5'],
        ['d', 'true'],
      ],
      repeated: [],
    })
  })

  test.each([['a=%'], ['a=%zz'], ['%ff=1'], ['a=%C3%28'], ['a=%00'], [Buffer.from([0x61, 0x3d, 0xff])]])(
    '%s is 400',
    async (body) => {
      const { address } = await echo()
      expect((await post(`${address}/form`, body, form)).status).toBe(400)
    },
  )

  test.each(['[]', '"a"', '{"a":{"b":1}}', '{"a":[1]}', '{"a":1,"a":2}'])(
    'the JSON %s in its place is 400',
    async (body) => {
      const { address } = await echo()
      expect((await post(`${address}/form`, body, { 'content-type': 'application/json' })).status).toBe(400)
    },
  )

  test('has at most 100 parameters and 64 KiB, and is refused without much work beyond', async () => {
    const { address } = await echo()
    const parameters = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&')
    expect((await post(`${address}/form`, parameters(100), form)).status).toBe(200)
    for (const body of [
      parameters(101),
      parameters(10_000),
      `a=${'x'.repeat(64 * 1024)}`,
      `a=${'x'.repeat(1_000_000)}`,
    ]) {
      const refused = async () => expect((await post(`${address}/form`, body, form)).status).toBe(413)
      expect(await leastProcessorTime(refused, { enough: 200 })).toBeLessThan(200)
    }
  })

  test('is refused with 415 if it has another type', async () => {
    const { address } = await echo()
    expect((await post(`${address}/form`, 'a=1', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(
      415,
    )
  })
})

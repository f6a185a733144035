import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
})

const log = { name: 'L', type: 'farm_activity', timestamp: '1' }
const sendText = (body: string | Uint8Array, type = 'application/json') =>
  client.send('POST', '/log', { headers: { 'content-type': type }, body: Buffer.from(body) })

describe('7 every refusal is a problem with its type, title, status and detail', () => {
  it.each([
    ['a body that is none', () => sendText('{'), 400, 'unreadable-body'],
    ['a query that is none', () => client.get('/log.json?colour=red'), 400, 'bad-query'],
    ['nobody is logged in', () => farm.anonymous.get('/log.json'), 403, 'unauthenticated'],
    ['not allowed', async () => (await farm.login('viewer')).post('/log', log), 403, 'forbidden'],
    ['not there', () => client.get('/log/999.json'), 404, 'not-found'],
    ['no such method', () => client.delete('/log'), 405, 'method-not-allowed'],
    ['no such format', () => sendText('x', 'text/plain'), 415, 'unsupported-media-type'],
    ['content that is wrong', () => client.post('/log', {}), 422, 'invalid-content'],
  ])('answers with a problem document: %s', async (_what, ask, status, name) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(answer.body).toMatchObject({
      type: `urn:furrow:refusal:${name}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
    })
  })

  it('with one entry for each fault: where, what, and what would be right', async () => {
    const { body } = await client.post('/log', { ...log, quantity: [{ measure: 'x' }], colour: 1 })
    expect(body.errors).toHaveLength(2)
    for (const fault of body.errors) {
      expect(fault).toEqual({ field: expect.any(String), message: expect.any(String), allowed: expect.any(Array) })
    }
  })

  it('shows a bad value in short form', async () => {
    const { body } = await client.post('/log', { ...log, timestamp: 'x'.repeat(5000) })
    expect(body.errors[0].message.length).toBeLessThan(200)
  })
})

describe('7 bodies', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['half an object', '{"name": "x"'],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{/* */}'],
    ['a key twice', '{"name":"a","type":"farm_activity","timestamp":1,"name":"b"}'],
    ['a key twice inside a part', '{"movement":{"geometry":"POINT (1 2)","geometry":"POINT (3 4)"}}'],
    ['a raw control character', '{"name":"a\u0001"}'],
    ['an unknown escape', '{"name":"\\x41"}'],
    ['undefined', '{"name":undefined}'],
  ])('%s is not JSON', async (_what, body) => {
    expect((await sendText(body)).status).toBe(400)
  })

  it.each([
    ['overlong UTF-8', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [...Buffer.from('{"name":"x"}', 'utf16le')]],
  ])('%s is not UTF-8', async (_what, bytes) => {
    expect((await sendText(Uint8Array.from(bytes))).status).toBe(400)
  })

  it.each(['[]', '"text"', '5', 'null', 'true', '[{"name":"x"}]'])('%s is no record', async (body) => {
    expect((await sendText(body)).status).toBe(422)
  })

  it('a byte order mark before it does no harm', async () => {
    expect((await sendText(`\ufeff${JSON.stringify(log)}`)).status).toBe(201)
  })

  it('bodies that are compressed or in another charset are refused', async () => {
    expect((await sendText(JSON.stringify(log), 'application/json; charset=latin1')).status).toBe(415)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await client.send('POST', '/log', { headers, body: 'x' })).status).toBe(415)
  })

  it('a body is not looked at before the caller is known', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await farm.anonymous.send('POST', '/log', { headers, body: '{' })).status).toBe(403)
  })
})

describe('7 a character that no text can hold is refused wherever it is sent', () => {
  const login = (name: string) => `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`
  const tokenAs = (name: string) =>
    farm.anonymous.send('POST', '/oauth/token', {
      headers: { authorization: login(name) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
  it.each([
    ['in an address', () => client.get('/farm/areas/geojson/%00'), 400],
    ['in an address that leads nowhere', () => client.get('/log/1%01.json'), 400],
    ['in the id of a client', () => tokenAs('a%00b'), 401],
    ['in a login, as it is', () => tokenAs('a\0b'), 401],
    ['in a name', () => farm.anonymous.get('/log.json', { authorization: login('restws1\0x') }), 403],
  ])('refuses it %s', async (_where, ask, status) => {
    expect((await ask()).status).toBe(status)
  })
})

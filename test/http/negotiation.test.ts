import { expect, test } from 'vitest'
import { formatOfAnswer, formatOfRead, prefersHtml } from '../../src/doors/http/negotiation.ts'
import { openFloor } from './floor.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'

test.each([
  ['/log.json', {}, 'json json -'],
  ['/log.xml', {}, 'xml xml -'],
  ['/log.xml/?a=.json', { accept: 'application/json' }, 'xml xml -'],
  ['/log.xml', { accept: browser }, 'xml xml -'],
  ['/log', {}, 'json json -'],
  ['/log', { accept: 'json' }, 'json json -'],
  ['/log', { accept: 'application/xml' }, 'xml xml -'],
  ['/log', { accept: 'text/xml' }, 'xml xml -'],
  ['/log', { accept: 'application/json;q=0.5, application/xml' }, 'xml xml -'],
  ['/log', { accept: 'application/xml;q=0' }, 'json json -'],
  ['/log', { accept: 'application/problem+xml' }, 'xml xml -'],
  ['/log', { accept: browser }, 'json json html'],
  ['/log.json', { accept: browser }, 'json json -'],
  ['/log', { 'content-type': 'application/xml' }, 'json xml -'],
  ['/log', { 'content-type': 'text/xml; charset=utf-8', accept: '*/*' }, 'json xml -'],
  ['/log', { 'content-type': 'application/xml', accept: 'application/json' }, 'json json -'],
  ['/log?x=.xml', { 'content-type': 'application/json' }, 'json json -'],
  ['/log', { accept: ';;,,q=,=' }, 'json json -'],
])('the format of %s with %o is %s (spec 1.2)', async (path, headers, expected) => {
  const { address } = await openFloor((app) => {
    app.get(
      '/*',
      (request) => `${formatOfRead(request)} ${formatOfAnswer(request)} ${prefersHtml(request) ? 'html' : '-'}`,
    )
  })
  expect(await (await fetch(address + path, { headers: { accept: '*/*', ...headers } })).text()).toBe(expected)
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Browser } from '../access/browser.ts'
import { basic, passwordRequest, person, stranger, token } from '../access/flow.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

const setting = (name: string): string => new RegExp(`^${name} = (.+)$`, 'm').exec(page)?.[1] ?? ''

/** What fail2ban itself puts in the place of `<HOST>`, as far as addresses go. */
const host = '(?:::f{4,6}:)?(?<host>\\d{1,3}(?:\\.\\d{1,3}){3}|\\[?[0-9a-fA-F:]+:[0-9a-fA-F:.]*\\]?)'

const failregex = new RegExp(setting('failregex').replace('<HOST>', host))
const datepattern = new RegExp(setting('datepattern').replace('{EPOCH}', '(\\d{10,11})'))

/** fail2ban cuts the time out of a line before it looks for failures. */
const bannedBy = (line: string): string | undefined =>
  failregex.exec(line.trimEnd().replace(datepattern, ''))?.groups?.host

const settings = { basicAuth: /^person/u, trustedProxies: ['127.0.0.1'] }

const lastLine = async (farm: FarmUnderTest, path: string): Promise<string> => {
  const find = () => farm.lines.findLast((line) => JSON.parse(line).path === path)
  await expect.poll(find).toBeDefined()
  return find() ?? ''
}

describe('the recipe for fail2ban', () => {
  test('finds the address and the time in the line of every failed login, IPv6 included', async () => {
    const farm = await openFarm({ settings })
    const { name } = await stranger(farm)
    for (const address of ['203.0.113.9', '2001:db8::5']) {
      const headers = { 'x-forwarded-for': address }
      await new Browser(farm).post('/user/login', { name, pass: 'wrong' }, headers)
      await token(farm, passwordRequest({ name, password: 'wrong' }), { headers })
      await farm.anonymous.get('/farm.json', { authorization: basic(name, 'wrong'), ...headers })
      for (const path of ['/user/login', '/oauth/token', '/farm.json']) {
        const line = await lastLine(farm, path)
        expect(bannedBy(line), line).toBe(address)
        expect(Number(datepattern.exec(line)?.[1])).toBe(JSON.parse(line).time)
      }
    }
  })

  test('finds it also behind what a journal puts before the line, and after too many failures', async () => {
    const farm = await openFarm({ settings })
    const { name } = await stranger(farm)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (let count = 0; count < 11; count += 1)
      await new Browser(farm).post('/user/login', { name, pass: 'wrong' }, headers)
    const line = await lastLine(farm, '/user/login')
    expect(line).toContain('"login":"refused"')
    expect(bannedBy(`barn furrow[4711]: ${line}`)).toBe('203.0.113.9')
  })

  test('finds nobody in other lines, and nobody whom a caller has written into one', async () => {
    const farm = await openFarm({ settings })
    await person(farm)
    await farm.anonymous.get('/log.json')
    await farm.anonymous.get('/x","address":"203.0.113.9","login":"failed","y":"')
    await expect.poll(() => farm.lines.length).toBeGreaterThan(2)
    for (const line of farm.lines) expect(bannedBy(line), line).toBeUndefined()
  })
})

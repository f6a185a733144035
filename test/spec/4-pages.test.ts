import { describe, expect, it } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { person } from '../access/flow.ts'
import { openFarm } from '../harness/farm.ts'

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' }
const farm = await openFarm()

describe('the bare address of a farm', () => {
  it('tells a person how to make the first account while there is none', async () => {
    const fresh = await openFarm()
    const { status, text } = await fresh.anonymous.get('/', browser)
    expect(status).toBe(200)
    expect(text).toContain('furrow user add NAME --role manager')
    expect(text).not.toContain('/setup')
  })

  it('leads a person to the login, which names the farm and the documentation, and no address of programs', async () => {
    await person(farm)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'name', 'Hill & <b>Dale</b>'))
    const { status, headers } = await farm.anonymous.get('/', browser)
    expect([status, headers.get('location')]).toEqual([302, `${farm.base}/user/login`])
    const { text } = await farm.anonymous.get('/user/login', browser)
    expect(text).toContain('<strong>Hill &amp; &lt;b&gt;Dale&lt;/b&gt;</strong>')
    expect(text).toContain('href="/docs"')
    expect(text).not.toContain('farm.json')
  })

  it.each([{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'application/xml' }])(
    'is no address for programs, and tells them where to begin (%j)',
    async (headers) => {
      const answer = await farm.anonymous.get('/', headers)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+(json|xml)/)
      expect(answer.text).toMatch(/\/docs\b.*\/farm\.json\b/)
    },
  )
})

describe('spec 7: an address that is not there', () => {
  it('is a page with a way back for a person', async () => {
    for (const path of ['/nothing', '/admin/people', '/node/1']) {
      const { status, text, headers } = await farm.anonymous.get(path, browser)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('There is nothing at this address.')
      expect(text).toContain('href="/"')
    }
  })

  it('is a problem document for a program, and wherever a format is named', async () => {
    const asked = [
      ['/nothing', {}],
      ['/nothing', { accept: 'application/json' }],
      ['/nothing.json', browser],
    ] as const
    for (const [path, headers] of asked) {
      const answer = await farm.anonymous.get(path, headers)
      expect([answer.status, answer.body.type]).toEqual([404, 'urn:furrow:refusal:not-found'])
    }
    const xml = await farm.anonymous.get('/nothing.xml', browser)
    expect(xml.headers.get('content-type')).toContain('application/problem+xml')
  })
})

import { describe, expect, test } from 'vitest'
import { addAccount, listAccounts, removeAccount } from '../../src/access/accounts.ts'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { Browser, hiddenFields } from '../access/browser.ts'
import { openFarm } from '../harness/farm.ts'

const filledIn = (key: string, extra: Record<string, string> = {}) => ({
  key,
  farm_name: 'Green Acres',
  system_of_measurement: 'us',
  name: 'ada',
  pass: 'a long password',
  again: extra.pass ?? 'a long password',
  ...extra,
})

const html = { accept: 'text/html' }

describe('the first run', () => {
  test('has no account and one address that makes the first manager, once', async () => {
    const farm = await openFarm()
    expect(await listAccounts(farm.installation)).toEqual([])
    const address = (await prepareFirstRun(farm.installation)) ?? ''
    expect(await prepareFirstRun(farm.installation)).toBe(address)
    const browser = new Browser(farm)
    const page = await browser.get(address)
    expect(page.status).toBe(200)
    const { key = '' } = hiddenFields(page.text)
    const done = await browser.post('/setup', filledIn(key))
    expect([done.status, done.headers.get('location')]).toEqual([302, `${farm.base}/app/setup`])
    expect(await browser.get('/farm.json')).toMatchObject({
      status: 200,
      body: { name: 'Green Acres', system_of_measurement: 'us', user: { name: 'ada' } },
    })
    expect(await listAccounts(farm.installation)).toMatchObject([{ name: 'ada', role: 'manager' }])
    expect(await prepareFirstRun(farm.installation)).toBeNull()
    expect(await browser.get(address)).toMatchObject({ status: 404 })
    expect(await browser.post('/setup', filledIn(key, { name: 'eve' }))).toMatchObject({ status: 404 })
    expect(farm.lines.join('')).not.toContain(key)
  })

  test('asks for time zone and language, which the browser may fill in, and speaks it', async () => {
    const farm = await openFarm()
    const browser = new Browser(farm)
    const page = await browser.get((await prepareFirstRun(farm.installation)) ?? '', html)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    for (const words of ['<option value="Europe/Berlin">', '<option value="de">Deutsch', '/app/?demo=1'])
      expect(page.text).toContain(words)
    const { key = '' } = hiddenFields(page.text)
    const wrong = [{ timezone: 'Mars/Olympus' }, { language: 'tlh' }]
    for (const fault of wrong) expect((await browser.post('/setup', filledIn(key, fault))).status).toBe(422)
    const differing = await browser.post('/setup', filledIn(key, { again: 'another' }))
    expect(differing.text).toMatch(/id="again"[^>]*aria-invalid="true"[^>]*>\n<p class="alert" id="again-fault"/)
    expect((await browser.post('/setup', filledIn(key, { timezone: 'Europe/Berlin', language: 'de' }))).status).toBe(
      302,
    )
    expect((await browser.get('/me.json')).body).toMatchObject({
      account: { language: 'de' },
      farm: { timezone: 'Europe/Berlin', language: 'de', languages: ['de'] },
    })
    expect((await browser.get('/furrow-setup.js')).headers.get('content-type')).toContain('text/javascript')
  })

  test('leads to the account where there is no app', async () => {
    const farm = await openFarm({ settings: { app: false } })
    const browser = new Browser(farm)
    const { key = '' } = hiddenFields((await browser.get((await prepareFirstRun(farm.installation)) ?? '')).text)
    const done = await browser.post('/setup', filledIn(key))
    expect([done.status, done.headers.get('location')]).toEqual([302, `${farm.base}/account?done=setup`])
    const next = await browser.get('/account?done=setup', html)
    expect(next.text).toContain('Your farm is set up')
    expect(next.text).toContain('<a href="/">')
  })

  test('says at its address afterwards that the farm is set up, and leads to the login', async () => {
    const farm = await openFarm()
    const address = (await prepareFirstRun(farm.installation)) ?? ''
    const key = new URL(address, farm.base).searchParams.get('key') ?? ''
    await new Browser(farm).post('/setup', filledIn(key))
    const visitor = new Browser(farm)
    for (const page of [await visitor.get(address, html), await visitor.post('/setup', filledIn(key), html)]) {
      expect(page.status).toBe(404)
      expect(page.text).toContain('<h1>This farm is already set up</h1>')
      expect(page.text).toContain('href="/user/login"')
    }
    expect((await visitor.get(address)).body).toMatchObject({
      status: 404,
      detail: 'This farm is already set up: log in.',
    })
  })

  test('is there for nobody without the key', async () => {
    const farm = await openFarm()
    for (const path of ['/setup', '/setup?key=', '/setup?key=guess']) {
      expect(await farm.anonymous.get(path)).toMatchObject({ status: 404 })
      expect((await farm.anonymous.get(path, html)).text).not.toContain('already set up')
    }
    expect(await new Browser(farm).post('/setup', filledIn('guess'))).toMatchObject({ status: 404 })
    expect(await listAccounts(farm.installation)).toEqual([])
  })

  test('is over once an account was added by command, for good', async () => {
    const farm = await openFarm()
    const address = (await prepareFirstRun(farm.installation)) ?? ''
    await addAccount(farm.installation, { name: 'bob', password: 'a long password', role: null })
    expect(await farm.anonymous.get(address)).toMatchObject({ status: 404 })
    await removeAccount(farm.installation, 'bob')
    expect(await prepareFirstRun(farm.installation)).toBeNull()
    expect(await farm.anonymous.get(address)).toMatchObject({ status: 404 })
  })

  test('says what is wrong with the form and keeps the address', async () => {
    const farm = await openFarm()
    const address = (await prepareFirstRun(farm.installation)) ?? ''
    const key = new URL(address, farm.base).searchParams.get('key') ?? ''
    const browser = new Browser(farm)
    for (const fault of [
      { pass: 'short' },
      { again: 'a lung password' },
      { name: '' },
      { farm_name: '' },
      { system_of_measurement: 'imperial' },
    ]) {
      const answer = await browser.post('/setup', filledIn(key, fault))
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('role="alert"')
    }
    expect(await browser.get(address)).toMatchObject({ status: 200 })
  })

  test('lets one of sixteen racing requests win', async () => {
    const farm = await openFarm()
    const address = (await prepareFirstRun(farm.installation)) ?? ''
    const key = new URL(address, farm.base).searchParams.get('key') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => new Browser(farm).post('/setup', filledIn(key, { name: `first-${at}` }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(15).fill(404)])
    expect((await listAccounts(farm.installation)).length).toBe(1)
  })
})

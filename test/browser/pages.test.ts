import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { addAccount } from '../../src/access/accounts.ts'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { app, asked, query, redemption, statusWith, stranger, token } from '../access/flow.ts'
import { someFor, violations, widths } from '../harness/accessibility.ts'
import { openBrowser } from '../harness/browser.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'

// Browsers trust this machine as they trust https: under another name they see plain http, as in a farm's own network.
const chromium = await openBrowser('--host-resolver-rules=MAP farm.test 127.0.0.1')
// Without the app, so that every way leads to a page of the server.
const farm = await openFarm({ engine: 'sqlite', settings: { app: false } })
const pictures = inject('screenshots')

/** The application's own web server, which the browser is sent back to; it also frames us, if we let it. */
const received: URL[] = []
const application = createServer((request, response) => {
  const address = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (address.pathname === '/cb') received.push(address)
  const framed = address.searchParams.get('frame')
  response.setHeader('content-type', 'text/html')
  response.end(
    `<!doctype html><title>App</title>${framed === null ? 'Welcome back' : `<iframe src="${framed}"></iframe>`}`,
  )
})
let redirectUri = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  atEndOfFile(() => new Promise<void>((resolve) => application.close(() => resolve())))
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/cb`
})

/** A person's own browser. What a page complains about, or tries to open, fails the test. */
async function openPage(): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await chromium.newContext()
  atEndOfFile(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('dialog', async (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !/favicon|Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== farm.base && origin !== new URL(redirectUri).origin) complaints.push(`elsewhere: ${request.url()}`)
  })
  return { page, context, complaints }
}

const looks = widths.flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

/** At the width of a phone and of a desk: nothing to scroll sideways, nothing that axe finds. */
async function look(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, `${name} at ${width} px`).toBeLessThanOrEqual(0)
  }
  for (const { width, scheme } of pictures === undefined ? someFor(name, looks) : looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme })
    expect(await violations(page), `${name} at ${width} px in ${scheme}`).toEqual([])
    if (pictures === undefined) continue
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`), fullPage: true })
  }
}

const logIn = async (page: Page, { name, password }: { name: string; password: string }) => {
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

describe('a form over plain http', () => {
  const plain = farm.base.replace('127.0.0.1', 'farm.test')

  test('is taken from a page of ours', async () => {
    const ada = await stranger(farm)
    const page = await chromium.newPage()
    atEndOfFile(() => page.close())
    await page.goto(`${plain}/user/login`)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await logIn(page, ada)
    const { origin, 'sec-fetch-site': site } = await (await sent).allHeaders()
    expect({ origin, site }).toEqual({ origin: plain, site: undefined })
    await page.waitForURL(`${plain}/account`)
  })

  test('is refused from a page in a sandbox', async () => {
    const page = await chromium.newPage()
    atEndOfFile(() => page.close())
    const form = `<form method=post action=${plain}/user/login><input name=name><button>Go</button></form>`
    await page.setContent(`<iframe sandbox="allow-forms" srcdoc="${form}"></iframe>`)
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.frameLocator('iframe').getByRole('button').click()
    expect((await answered).status()).toBe(403)
  })
})

describe('the pages in a real browser', () => {
  test('a login by keyboard alone, a wrong one first', async () => {
    const ada = await stranger(farm)
    const { page, complaints } = await openPage()
    await page.goto(`${farm.base}/user/login`)
    await look(page, 'login')
    const type = async (password: string) => {
      await page.getByLabel('User name').focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.type(ada.name)
      await page.keyboard.press('Tab')
      await page.keyboard.type(password)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    await type('wrong')
    await page.getByRole('alert').waitFor()
    await look(page, 'login-failed')
    await type(ada.password)
    await page.waitForURL(`${farm.base}/account`)
    await look(page, 'account')
    expect(complaints).toEqual([])
  })

  test('an application is let in after a login, and later put out again', async () => {
    const ada = await stranger(farm)
    const client = await app(farm, { label: 'Field notes', redirectUris: [redirectUri] })
    const { page, complaints } = await openPage()
    const scope = 'farm_worker farm_info'
    await page.goto(`${farm.base}/oauth/authorize?${query(asked(client, { scope }))}`)
    await look(page, 'login-for-an-application')
    await logIn(page, ada)
    await page.getByRole('heading', { name: 'Let Field notes in?' }).waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      "Read the farm's name and what it can record",
      'Read, record and change everything',
    ])
    await look(page, 'consent')
    await page.getByRole('button', { name: 'Yes, let it in' }).click()
    await page.getByText('Welcome back').waitFor()
    const back = received.at(-1)
    expect(back?.searchParams.get('state')).toBe('a state')
    const { body } = await token(farm, redemption(client, back?.searchParams.get('code') ?? ''))
    expect(await statusWith(farm, body.access_token)).toBe(200)

    await page.goto(`${farm.base}/account`)
    await look(page, 'account-with-an-application')
    await page.getByRole('button', { name: 'Revoke Field notes' }).click()
    await page.getByText('No application can act in your name.').waitFor()
    expect(await statusWith(farm, body.access_token)).toBe(401)
    expect(complaints).toEqual([])
  })

  test('an application is not let in', async () => {
    const ada = await stranger(farm)
    const client = await app(farm, { redirectUris: [redirectUri] })
    const { page, complaints } = await openPage()
    await page.goto(`${farm.base}/oauth/authorize?${query(asked(client))}`)
    await logIn(page, ada)
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByText('Welcome back').waitFor()
    expect(received.at(-1)?.searchParams.get('error')).toBe('access_denied')
    expect(complaints).toEqual([])
  })

  test('a role that covers nothing of what is asked sends the browser back right after the login', async () => {
    const viewer = await stranger(farm, 'viewer')
    const client = await app(farm, { redirectUris: [redirectUri] })
    const { page, complaints } = await openPage()
    await page.goto(`${farm.base}/oauth/authorize?${query(asked(client, { scope: 'farm_manager' }))}`)
    await logIn(page, viewer)
    await page.getByText('Welcome back').waitFor()
    expect(received.at(-1)?.searchParams.get('error')).toBe('access_denied')
    expect(complaints).toEqual([])
  })

  test('from an address that is not there to the first page, the account and out again', async () => {
    const ada = await stranger(farm)
    const { page, complaints } = await openPage()
    await page.goto(`${farm.base}/nothing/here`)
    await look(page, 'nothing-here')
    await page.getByRole('link', { name: 'Go to the first page of this farm' }).click()
    await page.waitForURL(/\/user\/login/)
    await logIn(page, ada)
    await page.waitForURL(`${farm.base}/account`)
    await page.goto(farm.base)
    await look(page, 'first-page-logged-in')
    await page.getByRole('link', { name: 'Log out' }).click()
    await page.waitForURL(`${farm.base}/user/login`)
    await page.goto(`${farm.base}/user/logout`)
    await look(page, 'logged-out-already')
    expect(complaints).toEqual([])
  })

  test('a fault of the application is explained on a page', async () => {
    const { page } = await openPage()
    await page.goto(`${farm.base}/oauth/authorize?client_id=nobody`)
    await page.getByRole('alert').waitFor()
    await look(page, 'unknown-application')
  })

  test('ON-25 neither login nor consent can be framed', async () => {
    const ada = await stranger(farm)
    const client = await app(farm, { redirectUris: [redirectUri] })
    const { page } = await openPage()
    await page.goto(`${farm.base}/user/login`)
    await logIn(page, ada)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    const consent = `${farm.base}/oauth/authorize?${query(asked(client))}`
    for (const address of [consent, `${farm.base}/user/login`, `${farm.base}/account`]) {
      await page.goto(`${new URL(redirectUri).origin}/?${query({ frame: address })}`)
      const frame = page.frames().find((each) => each !== page.mainFrame())
      expect(await frame?.locator('main').count()).toBe(0)
    }
  })

  test('ON-33 markup in names stays text', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    const ada = await stranger(farm)
    const client = await app(farm, { label: evil, redirectUris: [redirectUri] })
    const { page, complaints } = await openPage()
    await page.goto(`${farm.base}/oauth/authorize?${query(asked(client, { state: `"><script>alert(3)</script>` }))}`)
    await logIn(page, ada)
    await page.getByRole('heading', { name: `Let ${evil} in?` }).waitFor()
    await look(page, 'consent-with-markup')
    await page.getByRole('button', { name: 'Yes, let it in' }).click()
    await page.getByText('Welcome back').waitFor()
    await page.goto(`${farm.base}/account`)
    expect(await page.locator('img, script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the password is changed, and the other browser is logged out', async () => {
    const ada = await stranger(farm)
    const [here, there] = [await openPage(), await openPage()]
    for (const { page } of [here, there]) {
      await page.goto(`${farm.base}/user/login`)
      await logIn(page, ada)
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
    }
    await here.page.reload()
    await look(here.page, 'account-with-two-sessions')
    await here.page.getByLabel('Present password').fill(ada.password)
    for (const label of ['New password', 'New password, once more'])
      await here.page.getByLabel(label, { exact: true }).fill('a completely new one')
    await here.page.getByRole('button', { name: 'Change password' }).click()
    await here.page.getByText('This one').waitFor()
    await there.page.reload()
    await there.page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(here.complaints).toEqual([])
  })

  test.each([
    ['en', 'What it is for', 'Make a token', 'You have no personal token.'],
    ['de', 'Wofür es ist', 'Token machen', 'Du hast kein persönliches Token.'],
    ['es', 'Para qué es', 'Crear un token', 'No tienes ningún token personal.'],
  ])('a personal token is made and ended by whoever reads %s', async (language, purpose, make, none) => {
    const [name, password] = [`reader-${language}`, 'a long password']
    await addAccount(farm.installation, { name, password, role: 'worker', language })
    const { page, complaints } = await openPage()
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(`${farm.base}/user/login?destination=%2Faccount`)
    await logIn(page, { name, password })
    await page.getByText(none).waitFor()
    await page.getByLabel(purpose).fill('The scales')
    await page.getByRole('button', { name: make }).click()
    const shown = page.locator('[role="status"] code')
    // Without scrolling, down or sideways.
    const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {}
    expect(y + height).toBeLessThan(640)
    expect(await shown.evaluate(({ parentElement: box }) => box && box.scrollWidth <= box.clientWidth)).toBe(true)
    expect(await statusWith(farm, (await shown.textContent()) ?? '')).toBe(200)
    await look(page, `account-with-a-token-${language}`)
    await page.locator('form[action="/account/tokens/end"] button').click()
    await page.getByText(none).waitFor()
    expect(complaints).toEqual([])
  })

  test('the first run', async () => {
    const fresh = await openFarm({ engine: 'sqlite', settings: { app: false } })
    const { page } = await openPage()
    const setup = fresh.base + (await prepareFirstRun(fresh.installation))
    await page.goto(setup)
    await look(page, 'setup')
    await page.getByLabel('Name of the farm').fill('Green Acres')
    await page.getByLabel('US (pounds, feet, gallons)').check()
    await page.getByLabel('Your user name').fill('ada')
    for (const label of ['Your password', 'Your password, once more'])
      await page.getByLabel(label, { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText('You are ada, Farm Manager.').waitFor()
    await look(page, 'account-after-setup')
    await page.getByRole('link', { name: 'Go to the first page of this farm' }).click()
    await page.getByRole('heading', { name: 'Green Acres' }).waitFor()

    const visitor = (await openPage()).page
    await visitor.goto(setup)
    await look(visitor, 'setup-that-was-used')
    await visitor.getByRole('link', { name: 'Log in' }).click()
    await visitor.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  test('plain http where TLS is required', async () => {
    const settings = { requireTls: true, baseUrl: 'https://farm.example' }
    const strict = await openFarm({ engine: 'sqlite', settings })
    const { page } = await openPage()
    await page.goto(`${strict.base}/user/login?destination=%2Faccount`)
    await look(page, 'tls-required')
    const way = page.getByRole('link', { name: 'Go on over https' })
    expect(await way.getAttribute('href')).toBe('https://farm.example/user/login?destination=%2Faccount')
    expect(await page.evaluate('getComputedStyle(document.querySelector("a.button")).fontWeight')).toBe('600')
  })
})

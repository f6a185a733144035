import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { keptByWorker } from '../harness/app.ts'
import { openBrowser } from '../harness/browser.ts'
import type { Client } from '../harness/client.ts'
import { speakPseudo } from '../harness/pseudo-language.ts'
import { doings } from './doing.ts'
import { type FarmToShow, openFarmToShow } from './farms.ts'
import { farms, nameOf, type Picture, picturesOf, type State } from './pictures.ts'

const { into, language, ...wanted } = JSON.parse(process.env.SCREENS ?? '{"into":"screens"}')

/** Pictures that are taken one after another with the same device. */
const deviceOf = ({ state, width, theme }: Picture): string => `${state} ${width} ${theme}`

const screenNames = [
  ...[
    'today',
    'logs',
    'assets',
    'areas',
    'terms',
    'search',
    'log',
    'plan',
    'animal',
    'planting',
    'group',
    'area',
    'term',
  ],
  ...['map', 'map-area', 'map-time', 'map-rest', 'tree', 'more', 'outbox', 'nowhere', 'trash', 'import', 'export'],
  ...['report-harvest', 'report-history'],
  ...['people', 'invite', 'person', 'applications', 'events'],
  ...['first-steps', 'what-do-you-keep', 'where-is-it', 'phone', 'settings', 'moving'],
  ...['selecting', 'add', 'move-herd', 'move-paddock', 'harvest', 'weigh', 'observe', 'form', 'edit'],
  ...['draw', 'draw-name', 'beds'],
  /** In this order, and after the others: what is done for one can be seen on the next. */
  ...['move-done', 'outbox-waiting', 'outbox-conflict', 'outbox-removed'],
]

test('every picture that was asked for', async () => {
  const pictures = picturesOf(wanted, screenNames)
  if (Object.keys(wanted).length === 0) expect(pictures.length).toBeLessThanOrEqual(120)
  await rm(into, { recursive: true, force: true })
  await mkdir(into, { recursive: true })
  const browser = await openBrowser()
  const missing: string[] = []
  for (const name of farms) {
    const ofFarm = pictures.filter(({ farm }) => farm === name)
    if (ofFarm.length > 0) missing.push(...(await takeOf(browser, await openFarmToShow(name), ofFarm)))
  }
  console.log(`${pictures.length - missing.length} pictures are in ${into}. ${missing.join(' ')}`)
  expect(pictures.length).toBeGreaterThan(missing.length)
})

/** Answers the names of the pictures that this farm has nothing for. */
async function takeOf(browser: Browser, farm: FarmToShow, pictures: readonly Picture[]): Promise<string[]> {
  const missing = pictures.filter(({ screen }) => !farm.addresses.has(screen))
  const devices = new Set(pictures.map(deviceOf))
  for (const device of devices) {
    const some = pictures.filter((picture) => deviceOf(picture) === device)
    const [first] = some
    if (first === undefined) continue
    const context = await openContext(browser, farm, first)
    const page = await openLoaded(context, farm, first)
    for (const picture of some) {
      const address = farm.addresses.get(picture.screen)
      if (address !== undefined) await take(page, { farm, picture, address: `${farm.base}/app${address}` })
    }
    await context.close()
  }
  return missing.map((picture) => `Without: ${nameOf(picture)}.`)
}

async function openContext(browser: Browser, farm: FarmToShow, { width, theme, state }: Picture) {
  const isPhone = width < 900
  const context = await browser.newContext({
    viewport: isPhone ? { width, height: 740 } : { width, height: 800 },
    deviceScaleFactor: isPhone ? 2 : 1,
    hasTouch: isPhone,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    baseURL: farm.base,
    ...(language === 'pseudo' ? { serviceWorkers: 'block' } : {}),
  })
  await context.addInitScript(`localStorage.setItem('furrow-theme', '${theme}')`)
  if (language === 'pseudo') await speakPseudo(context)
  else if (language !== undefined) await context.addInitScript(`localStorage.setItem('furrow-language', '${language}')`)
  const person = personIn(farm, state)
  if (person !== null) await logIn(context, person)
  if (state === 'loading') await context.route(/\/(log|farm_asset|taxonomy_term)\.json/, () => {})
  return context
}

function personIn({ manager, viewer, nobody }: FarmToShow, state: State): Client | null {
  if (state === 'logged-out') return null
  if (state === 'viewer') return viewer
  return state === 'no-role' ? nobody : manager
}

async function logIn(context: BrowserContext, { login: { name, password } }: Client): Promise<void> {
  const form = { name, pass: password, form_id: 'user_login' }
  const answer = await context.request.post('/user/login', { form, maxRedirects: 0 })
  expect(answer.status()).toBe(302)
}

/** With a copy of the farm, where the state has one. */
async function openLoaded(context: BrowserContext, farm: FarmToShow, { state }: Picture): Promise<Page> {
  const page = await context.newPage()
  if (['loading', 'no-role', 'logged-out'].includes(state)) return page
  await page.goto(`${farm.base}/app/`)
  await page
    .locator('.strip .state:not(.waiting)')
    .getByText(/\d:\d\d/)
    .waitFor({ timeout: 120_000 })
  if (state !== 'offline') return page
  await keptByWorker(page)
  await context.setOffline(true)
  return page
}

interface Taken {
  readonly farm: FarmToShow
  readonly picture: Picture
  readonly address: string
}

async function take(page: Page, { farm, picture, address }: Taken): Promise<void> {
  await page.goto(address)
  if (picture.state === 'large-text') await page.evaluate("document.documentElement.style.fontSize = '200%'")
  await page.locator('.strip').waitFor()
  if (picture.state !== 'loading') await expect.poll(() => page.locator('.ghost').count()).toBe(0)
  // What has to be done for a picture is done in English.
  if (language === undefined) await doings[picture.screen]?.(page, farm)
  if (picture.farm !== 'empty' && picture.state === 'online' && picture.screen.startsWith('map'))
    await page.locator('.map canvas').first().waitFor()
  await page.waitForTimeout(picture.state === 'loading' ? 800 : 250)
  await restful(page, join(into, `${nameOf(picture)}.png`))
}

const mostTries = 12

/** The picture once nothing on it changes any more: drawings come to rest in their own time. */
async function restful(page: Page, path: string): Promise<void> {
  let before = await page.screenshot({ path })
  for (let tries = 0; tries < mostTries; tries++) {
    await page.waitForTimeout(150)
    const now = await page.screenshot({ path })
    if (now.equals(before)) return
    before = now
  }
}

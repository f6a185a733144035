import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { documentedPages, nameOfPage } from '../../build/documentation.mjs'
import { someFor, violations, widths } from '../harness/accessibility.ts'
import { openBrowser } from '../harness/browser.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'

const chromium = await openBrowser()
const farm = await openFarm({ engine: 'sqlite' })
const pictures = inject('screenshots')

const context = await chromium.newContext()
atEndOfFile(() => context.close())
const page = await context.newPage()
const asked: string[] = []
const complaints: string[] = []
page.on('request', (request) => asked.push(request.url()))
page.on('console', (message) => {
  if (message.type() === 'error' && !/favicon/.test(message.location().url)) complaints.push(message.text())
})

const few = [
  '/docs',
  '/docs/concepts',
  '/docs/rules/location',
  '/docs/api',
  '/docs/api/operations/createLog',
  '/docs/api/schemas/Info',
]
const all = [
  ...few,
  ...documentedPages().map((path) => `/docs/${nameOfPage(path)}`),
  '/docs/api/operations/listLogsJson',
  '/docs/api/schemas/log_farm_harvest',
]

test('the interface is shown to everybody, without a login', async () => {
  await page.goto(`${farm.base}/docs`)
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Interface of this farm' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'The interface of this farm' }).waitFor()
  complaints.length = 0
})

test('every page fits a phone and a desk, and asks nobody else for anything', async () => {
  asked.length = 0
  const paths = new Set(all)
  for (const path of paths) {
    await page.goto(farm.base + path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(wider, `${path} at ${width} px`).toBeLessThanOrEqual(0)
      await keepPicture(`docs${path.replaceAll('/', '-')}-${width}`)
    }
  }
  expect(asked.length).toBeGreaterThan(paths.size)
  expect(asked.filter((url) => new URL(url).origin !== farm.base)).toEqual([])
  expect(complaints).toEqual([])
})

test('pictures are seen, at a size that can be read', async () => {
  await page.goto(`${farm.base}/docs/app`)
  for (const [width, least] of [
    [360, 250],
    [1280, 150],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const sizes = await page.locator('img').evaluateAll(
      // Each as it is drawn, once it is there.
      (images) => Promise.all((images as unknown as Drawn[]).map((image) => image.decode().then(() => image.width))),
    )
    expect(sizes).toHaveLength(7)
    expect(Math.min(...sizes), `at ${width} px`).toBeGreaterThan(least)
    await keepPicture(`docs-app-pictures-${width}`)
  }
})

interface Drawn {
  readonly width: number
  readonly decode: () => Promise<void>
}

const looks = [
  [360, 'light'],
  [1280, 'light'],
  [1280, 'dark'],
] as const

test.each(few)('%s can be read by everybody', async (path) => {
  await page.goto(farm.base + path)
  for (const [width, colorScheme] of someFor(path, looks)) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    expect(await violations(page), `${path} at ${width} px in ${colorScheme}`).toEqual([])
  }
  await keepPicture(`docs${path.replaceAll('/', '-')}-dark`)
})

test('the contents lead to their places', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${farm.base}/docs/concepts`)
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Move a herd' }).click()
  expect(page.url()).toBe(`${farm.base}/docs/concepts#move-a-herd`)
  const top = await page.evaluate('document.querySelector("#move-a-herd").getBoundingClientRect().top')
  expect(top).toBeLessThan(100)
})

async function keepPicture(name: string): Promise<void> {
  if (pictures === undefined) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}

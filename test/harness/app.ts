import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { atEndOfFile } from './end-of-file.ts'
import { type Line, openLine } from './line.ts'
import { speakPseudo } from './pseudo-language.ts'

/** A person as they log in. */
export interface Person {
  readonly name: string
  readonly password: string
}

let browser: Promise<Browser> | undefined

/** One Chromium for the tests of a file; each device in it has a storage of its own. */
function chromium(): Promise<Browser> {
  if (browser !== undefined) return browser
  browser = openBrowser()
  atEndOfFile(() => {
    browser = undefined
  })
  return browser
}

/** A phone or a computer with the app, which reaches its farm over a line that a test can cut. */
export class Device {
  readonly context: BrowserContext
  readonly line: Line
  /** What pages complained about, and whom else they asked: a test expects nothing here. */
  readonly complaints: string[] = []

  constructor(context: BrowserContext, line: Line) {
    this.context = context
    this.line = line
    context.on('page', (page) => this.#listenTo(page))
  }

  /** Begins a session as the login page does, and keeps its cookie. */
  async logIn({ name, password }: Person): Promise<void> {
    const form = new URLSearchParams({ name, pass: password, form_id: 'user_login' })
    const answer = await this.context.request.post(`${this.line.base}/user/login`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: form.toString(),
      maxRedirects: 0,
    })
    expect(answer.status()).toBe(302)
  }

  /** No signal here, and nobody at the other end of the line. */
  async loseServer(): Promise<void> {
    this.line.target = null
    await this.context.setOffline(true)
  }

  async open(path = '/'): Promise<Page> {
    const page = await this.context.newPage()
    await page.goto(`${this.line.base}/app${path}`)
    return page
  }

  /** Opens the app and waits until its copy is complete. */
  async openLoaded(path = '/'): Promise<Page> {
    const page = await this.open(path)
    await saysInTheStrip(page, /^Sent/).catch(() => this.#explain(page))
    return page
  }

  async restoreSignal(): Promise<void> {
    this.line.mend()
    await this.context.setOffline(false)
  }

  /** Nothing is sent or told until `meanwhile` is over. */
  async apart(here: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
    await this.loseServer()
    await here()
    await meanwhile()
    await this.restoreSignal()
  }

  /** For a page that one test uses after another: there is signal, and everything is loaded. */
  async begin(page: Page, path: string, width = 360): Promise<void> {
    await this.restoreSignal()
    await page.setViewportSize({ width, height: 740 })
    await page.goto(`${this.line.base}/app${path}`)
    await saysInTheStrip(page, /^Sent/).catch(() => this.#explain(page))
  }

  async #explain(page: Page): Promise<never> {
    const strip = await page.locator('.strip').innerText()
    throw new Error(`Not loaded: ${[strip, ...this.complaints, ...this.line.asked.slice(-5)].join('\n')}`)
  }

  #listenTo(page: Page): void {
    page.on('pageerror', ({ message }) => this.complaints.push(message))
    page.on('console', (message) => {
      const isOwn = message.type() === 'error' && !/Failed to load resource/.test(message.text())
      if (isOwn) this.complaints.push(message.text())
    })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== this.line.base && protocol !== 'blob:') this.complaints.push(`elsewhere: ${request.url()}`)
    })
  }
}

/** Until what was drawn is seen. */
export const frames = (page: Page, count = 2): Promise<void> =>
  page.evaluate(`(async () => { for (let at = 0; at < ${count}; at++) await new Promise(requestAnimationFrame) })()`)

/** Asks for the milliseconds of processor time that the thread of a page has used; where it navigates it begins anew. */
export async function processorClockOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
}

/** Of the device, not of the machine that runs the tests. */
const sizeAndLocale = { viewport: { width: 360, height: 740 }, locale: 'en-US' }

/** A device of its own for a farm, reached by a line of its own unless one is given. */
export async function openDevice(farm: { base: string }, line?: Line): Promise<Device> {
  const context = await (await chromium()).newContext({ ...sizeAndLocale, reducedMotion: 'reduce' })
  atEndOfFile(() => context.close())
  // Nothing is said about speed here: a busy machine may take its time.
  context.setDefaultTimeout(60_000)
  return new Device(context, line ?? (await openLine(farm.base)))
}

/** A device whose browser speaks another language. */
export async function openDeviceSpeaking(farm: { base: string }, locale: string): Promise<Device> {
  const context = await (await chromium()).newContext({ ...sizeAndLocale, locale, reducedMotion: 'reduce' })
  atEndOfFile(() => context.close())
  context.setDefaultTimeout(60_000)
  return new Device(context, await openLine(farm.base))
}

/** A device that speaks a language which does not exist; without a worker, which would keep one that does. */
export async function openPseudoDevice(farm: { base: string }, person: Person): Promise<Device> {
  const context = await (await chromium()).newContext({
    ...sizeAndLocale,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  atEndOfFile(() => context.close())
  context.setDefaultTimeout(60_000)
  await speakPseudo(context)
  const device = new Device(context, await openLine(farm.base))
  await device.logIn(person)
  return device
}

/** A device on which somebody has logged in. */
export async function openDeviceFor(farm: { base: string }, person: Person): Promise<Device> {
  const device = await openDevice(farm)
  await device.logIn(person)
  return device
}

/** A device in a hand: it is tapped, and says where it is. */
export async function openPhone(farm: { base: string }, geolocation: Geolocation): Promise<Device> {
  const context = await (await chromium()).newContext({
    ...sizeAndLocale,
    hasTouch: true,
    isMobile: true,
    permissions: ['geolocation'],
    geolocation,
  })
  atEndOfFile(() => context.close())
  return new Device(context, await openLine(farm.base))
}

interface Geolocation {
  readonly longitude: number
  readonly latitude: number
}

export async function saysInTheStrip(page: Page, words: RegExp): Promise<void> {
  await page.locator('.strip').getByText(words).waitFor()
}

/** By a tap on the strip. */
export async function openOutbox(page: Page): Promise<void> {
  await page.locator('.strip .state').click()
  await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor()
}

/** Waits until the worker has the page in hand, so that it opens without a server. */
export async function keptByWorker(page: Page): Promise<void> {
  const isKept = () => page.evaluate('navigator.serviceWorker.controller !== null')
  const soon = { timeout: 10_000 }
  // A page that was just being opened when the worker began is in its hands when it is opened anew.
  await expect
    .poll(isKept, soon)
    .toBe(true)
    .catch(() => page.reload())
  await expect.poll(isKept).toBe(true)
}

export interface StoredRow {
  readonly uuid: string
  readonly type: string
  readonly id: string
  readonly bundle: string
  readonly name: string
  readonly version: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** All of a store of the copy that this page's account has on the device; the only one there, unless it is named. */
export async function stored<T = StoredRow>(page: Page, store: string, database?: string): Promise<T[]> {
  return page.evaluate(inStore({ store, database, act: 'getAll', given: [] }))
}

/** As another tab would. */
export async function putInStore(page: Page, store: string, { key, value }: { key?: string; value: unknown }) {
  await page.evaluate(inStore({ store, act: 'put', given: key === undefined ? [value] : [value, key] }))
}

interface InStore {
  readonly store: string
  readonly act: 'getAll' | 'put'
  readonly given: readonly unknown[]
  readonly database?: string | undefined
}

const inStore = (wanted: InStore): string => `(${actInStore})(${JSON.stringify(wanted)})`

const actInStore = `async ({ store, database, act, given }) => {
  const name = database ?? (await indexedDB.databases()).map(({ name }) => name).find((name) => name.startsWith('furrow-'))
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const opened = await settled(indexedDB.open(name))
  const transaction = opened.transaction(store, act === 'put' ? 'readwrite' : 'readonly')
  const came = await settled(transaction.objectStore(store)[act](...given))
  opened.close()
  return came
}`

/** The names of the copies on this device. */
export const copiesOn = (page: Page): Promise<string[]> =>
  page.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))')

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Device, openPhone } from '../harness/app.ts'
import type { Client, Json } from '../harness/client.ts'

export const day = 86_400
export const now = (): number => Math.floor(Date.now() / 1000)

/** In North 3. */
export const standing = { longitude: 7.015, latitude: 50.005 }

interface EntryFarm {
  readonly hill: string
  readonly north: string
  readonly bed: string
  readonly herd: string
  readonly rosa: string
  readonly bella: string
  readonly carrots: string
}

const square = (west: number, south: number) => {
  const [east, north] = [west + 0.01, south + 0.01]
  return `POLYGON ((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`
}

/** Three places, a herd of two that has been on the hill for four days, and carrots in a bed. */
export async function plantEntryFarm(client: Client): Promise<EntryFarm> {
  const area = (name: string, type: string, geofield: string) =>
    client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: type, geofield })
  const hill = await area('Hill 1', 'paddock', square(7, 50))
  const north = await area('North 3', 'paddock', square(7.01, 50))
  const bed = await area('Bed 3', 'bed', square(7.02, 50))
  const asset = (name: string, type: string, more: object = {}) => client.create('farm_asset', { name, type, ...more })
  const cow = { animal_type: { name: 'Cow' } }
  const herd = await asset('Milkers', 'group')
  const rosa = await asset('Rosa', 'animal', { ...cow, tag: [{ id: '117' }] })
  const bella = await asset('Bella', 'animal', { ...cow, tag: [{ id: 'DE 118' }] })
  const carrots = await asset('Carrots', 'planting', { crop: [{ name: 'Carrot' }] })
  await asset('Tractor', 'equipment')
  const log = (name: string, more: object) =>
    client.create('log', { name, type: 'farm_activity', timestamp: now() - 4 * day, done: '1', ...more })
  const both = [{ id: rosa }, { id: bella }]
  await log('They join', { timestamp: now() - 9 * day, asset: both, membership: { group: [{ id: herd }] } })
  await log('To the hill', { asset: [{ id: herd }, ...both], movement: { area: [{ id: hill }] } })
  await log('Sown', { type: 'farm_seeding', asset: [{ id: carrots }], movement: { area: [{ id: bed }] } })
  return { hill, north, bed, herd, rosa, bella, carrots }
}

/** Counts what a journey takes. Digits on the pad do not count. */
export class Hand {
  taps = 0
  readonly page: Page
  readonly device: Device

  constructor(page: Page, device: Device) {
    this.page = page
    this.device = device
  }

  async tap(what: Locator): Promise<void> {
    this.taps += 1
    await what.tap()
  }

  link = (name: string | RegExp) => this.tap(this.page.getByRole('link', { name, exact: true }))
  button = (name: string | RegExp) => this.tap(this.page.getByRole('button', { name, exact: true }))
  row = (name: RegExp) => this.tap(this.page.locator('button.row').filter({ hasText: name }).first())

  async type(figure: string): Promise<void> {
    for (const key of figure)
      await this.page.getByRole('button', { name: key === '.' ? 'Decimal point' : key, exact: true }).tap()
  }

  /** The heading of the card that says what has changed. */
  says = (words: string | RegExp) => this.page.getByRole('heading', { level: 1, name: words }).waitFor()

  open = (path: string) => this.page.goto(`${this.device.line.base}/app${path}`)
}

/** Somebody with a phone in North 3, whose copy of the farm is complete. */
export async function handOf(farm: { base: string }, client: Client): Promise<Hand> {
  const device = await openPhone(farm, standing)
  await device.logIn(client.login)
  return new Hand(await device.openLoaded(), device)
}

/** The logs of that name, once there are so many. */
export async function logsNamed(client: Client, name: string, count = 1): Promise<readonly Json[]> {
  const read = async () => (await client.read(`/log.json?name=${encodeURIComponent(name)}`)).list
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

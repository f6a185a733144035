import type { Page } from 'playwright-core'
import { keptByWorker } from '../harness/app.ts'
import type { FarmToShow } from './farms.ts'

const firstRow = (page: Page) => page.locator('main button.row').first()

/** What somebody does on a screen before its picture is taken. */
export const doings: Readonly<Record<string, (page: Page, farm: FarmToShow) => Promise<void>>> = {
  selecting: async (page) => {
    await page.getByRole('button', { name: 'Select' }).click()
    for (const row of [0, 1, 2]) await page.locator('main button.row').nth(row).click()
  },
  'move-paddock': (page) => firstRow(page).click(),
  'move-done': async (page) => {
    await firstRow(page).click()
    await keptByWorker(page)
    await page.context().setOffline(true)
    await firstRow(page).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  },
  import: async (page) => {
    const rows = ['1.5.2026;Bed 3;Kale;12,5 kg;', '40.5.2026;Bed 4;Beans;3 kg;', '3.5.2026;Bed 3;Leek;8 kg;first']
    const sheet = ['Harvest book 2026;;;;', 'Date;Bed;Crop;Amount;Remarks', ...rows].join('\n')
    await page.getByLabel('Or paste cells').fill(sheet)
    await page.getByLabel('Each row is').selectOption({ label: 'Harvest' })
    await page.getByRole('button', { name: 'Use this text' }).click()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('2 new · 1 refused').waitFor()
  },
  draw: (page) => drawCorners(page),
  'draw-name': async (page) => {
    const finish = page.getByRole('button', { name: 'Finish' })
    if (await finish.isDisabled()) await drawCorners(page)
    await finish.click()
    await page.getByLabel('Name', { exact: true }).waitFor()
  },
  invite: async (page) => {
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByRole('img').waitFor()
  },
  harvest: (page) => firstRow(page).click(),
  weigh: (page) => page.locator('main').press('1'),
  'outbox-removed': (page, farm) =>
    changeWithoutSignal(page, farm, ({ manager, log }) => manager.delete(`/log/${log}`)),
  'outbox-conflict': (page, farm) =>
    changeWithoutSignal(page, farm, ({ manager, log }) =>
      manager.put(`/log/${log}`, { name: 'Cut the spinach, first crop' }),
    ),
}

/** Three of four corners, beside what is there. */
async function drawCorners(page: Page): Promise<void> {
  const map = page.getByRole('application')
  const add = page.getByRole('button', { name: 'Add corner' })
  for (const [key, steps] of [
    ['ArrowDown', 8],
    ['ArrowRight', 4],
    ['ArrowDown', 4],
  ] as const) {
    for (let step = 0; step < steps; step++) await map.press(key)
    await add.click()
  }
  for (let step = 0; step < 3; step++) await map.press('ArrowLeft')
}

type Meanwhile = (of: { manager: FarmToShow['manager']; log: string }) => Promise<unknown>

/** A change of a log that somebody else changes before there is signal again. */
async function changeWithoutSignal(page: Page, { base, manager }: FarmToShow, meanwhile: Meanwhile): Promise<void> {
  const context = page.context()
  await context.setOffline(false)
  const timestamp = Math.floor(Date.now() / 1000) - 5 * 86_400
  const log = await manager.create('log', { name: 'Cut the spinach', type: 'farm_activity', timestamp, done: '1' })
  await page.goto(`${base}/app/log/${log}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Cut the spinach for the market')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .locator('.strip')
    .getByText(/waiting|needs you/)
    .waitFor()
  await meanwhile({ manager, log })
  await context.setOffline(false)
  await page.goto(`${base}/app/outbox`)
  await page.locator('.card.needs').first().waitFor()
}

import type { Page } from 'playwright-core'
import { keptByWorker } from '../harness/app.ts'

const firstRow = (page: Page) => page.locator('main button.row').first()

/** What somebody does on a screen before its picture is taken. */
export const doings: Readonly<Record<string, (page: Page) => Promise<void>>> = {
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
  harvest: (page) => firstRow(page).click(),
  weigh: (page) => page.locator('main').press('1'),
}

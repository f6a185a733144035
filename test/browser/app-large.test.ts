import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDeviceFor } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { mainThreadTasks } from '../harness/main-thread.ts'
import { rounds } from '../harness/rounds.ts'
import { plantManyAreas } from './app-map-farm.ts'

const { areas, logs } = rounds({ short: { areas: 130, logs: 500 }, long: { areas: 30_000, logs: 100_000 } })

/** Logs of three years in all areas, one in two hundred of them a plan. */
async function plantManyLogs(client: Client): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const animal = { type: 'animal', animal_type: { name: 'Cow' }, tag: [{ id: 'DE 09 117' }] }
  const cow = await client.create('farm_asset', { name: 'Cow 117', ...animal })
  const { list } = (await client.get('/taxonomy_term.json?name=Great%20Farm')).body as { list: { id: string }[] }
  const firstArea = Number(list[0]?.id)
  const logAt = (index: number) => ({
    name: `Weighed ${index}`,
    type: 'farm_observation',
    timestamp: now - 3600 - Math.floor((index / logs) * 1_100 * 86_400),
    done: index % 200 === 0 ? '0' : '1',
    area: [{ id: String(firstArea + ((index * 37) % Math.floor(areas * 0.8))) }],
    ...(index % 50 === 0 && { asset: [{ id: cow }] }),
    ...(index % 500 === 0 && { flags: ['review'] }),
  })
  for (let done = 0; done < logs; done += 500) {
    const operations = Array.from({ length: 500 }, (_, index) => ({
      method: 'POST',
      path: '/log',
      body: logAt(done + index),
    }))
    const answer = await client.post('/batch', { operations })
    expect(answer.status, answer.text.slice(0, 500)).toBe(200)
  }
}

const rowOf = (page: Page, name: RegExp) => page.locator('main').getByRole('link', { name }).first()

test(`with ${areas} areas and ${logs} logs no screen holds up the one who looks`, async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  await plantManyAreas(manager, areas)
  await plantManyLogs(manager)
  const device = await openDeviceFor(farm, manager.login)
  const page = await device.open('/more')
  await page.locator('.strip').getByText(/^Sent/).waitFor({ timeout: 240_000 })
  const bar = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  const find = page.locator('[data-find]')

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    today: async () => {
      await bar('Today')
      await rowOf(page, /Weighed/).waitFor()
    },
    records: async () => {
      await bar('Records')
      await rowOf(page, /Weighed/).waitFor()
    },
    areas: async () => {
      await page.getByRole('link', { name: 'Areas', exact: true }).click()
      await rowOf(page, /F1 bed 1/).waitFor()
    },
    search: async () => {
      await find.fill('great')
      await rowOf(page, /Great Farm/).waitFor()
    },
    'largest area': async () => {
      await rowOf(page, /Great Farm/).click()
      await page.getByRole('heading', { name: 'What happened here' }).waitFor()
    },
    asset: async () => {
      await bar('Records')
      await find.fill('117')
      await rowOf(page, /Cow 117/).click()
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
    },
    map: async () => {
      await bar('Map')
      await page.locator('.map[aria-busy=false]').waitFor()
    },
  }
  for (const [name, act] of Object.entries(steps))
    expect(Math.max(...(await mainThreadTasks(page, act))), name).toBeLessThan(200)
  expect(device.complaints).toEqual([])
})

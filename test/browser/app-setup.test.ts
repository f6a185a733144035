import { expect, test } from 'vitest'
import { prepareFirstRun } from '../../src/access/first-run.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { openPhone, saysInTheStrip } from '../harness/app.ts'
import { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm({ engine: 'sqlite' })
const device = await openPhone(farm, { longitude: 8.5325, latitude: 52.0302 })
const page = await device.context.newPage()

const password = 'green fields 42'
/** A person takes so long for a tap and for a field that is typed into: reading and thinking included. */
const paces = { tap: 5, typed: 12 }
let taps = 0
let typed = 0

const tap = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
  taps++
  await page.getByRole(role, { name }).click()
}
const type = async (label: string, text: string) => {
  typed++
  await page.getByLabel(label, { exact: true }).fill(text)
}
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const look = async (name: string) => {
  await expectAccessible(page, name)
}

/** As somebody who is logged in to this browser. */
async function asked(path: string) {
  const cookie = (await device.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  return (await new Client(farm.base, { cookie }).get(path)).body
}

test('W10: a clean server, what is kept, where it is, and the first log in less than ten minutes', async () => {
  await page.goto(device.line.base + (await prepareFirstRun(farm.installation)))
  expect(await page.getByLabel('Time zone').inputValue()).toBe(
    await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
  )
  expect(await page.getByLabel('US (pounds, feet, gallons)').isChecked()).toBe(true)
  await look('setup page')
  await type('Name of the farm', 'Hill Farm')
  await tapRadio('Metric (kilograms, metres, litres)')
  await type('Your user name', 'ada')
  await type('Your password', password)
  await type('Your password, once more', password)
  await tap('Begin')

  await heading('First steps')
  expect(new URL(page.url()).pathname).toBe('/app/setup')
  await saysInTheStrip(page, /^Sent/)
  await look('first steps')
  await tap(/^Next: What do you keep/, 'link')
  await heading('What do you keep?')
  await tap(/^Vegetables/)
  await tap(/^Bees/)
  await page.getByText(/^Adds 35 crops, 1 kind of animal, 15 units, 10 materials, 7 log categories/).waitFor()
  await look('what do you keep')
  await tap('Add these words')

  await heading('Where is your farm?')
  await page.getByText('words added').waitFor()
  await look('where is it')
  await tap('Use my position')
  await page.getByText('The map knows where your farm is.').first().waitFor()
  await tap(/^Streets/)
  await page.getByRole('button', { name: /^Streets/, pressed: true }).waitFor()
  await tap('Plain paper')
  await page.getByRole('button', { name: 'Plain paper', pressed: true }).waitFor()
  await tap(/^Next: Draw your first field/, 'link')

  await heading('Draw your first field')
  await look('first field')
  await tap('Skip this')
  await heading('Record your first log')
  await look('first log')
  await tap('Record an observation', 'link')
  await heading('Observe')
  await type('What did you see?', 'Frost this morning')
  await tap('Save')
  await saysInTheStrip(page, /^Sent/)

  const seconds = taps * paces.tap + typed * paces.typed
  expect(seconds).toBeLessThanOrEqual(600)
  expect({ taps, typed }).toEqual({ taps: 13, typed: 5 })
  await expect.poll(async () => (await asked('/log.json')).list).toHaveLength(1)
  expect((await asked('/farm.json')).name).toBe('Hill Farm')
})

test('the steps tick themselves, leave More with the first log, and no word is added twice', async () => {
  await device.begin(page, '/more')
  await page.getByRole('link', { name: /^Settings/ }).waitFor()
  expect(await page.getByRole('link', { name: /^First steps/ }).count()).toBe(0)
  await device.begin(page, '/setup')
  const row = (name: RegExp) => page.getByRole('link', { name })
  await row(/^Done\s*What do you keep/).waitFor()
  await row(/^Done\s*Record your first log/).waitFor()
  await row(/^Skipped\s*Draw your first field/).waitFor()
  await row(/What do you keep/).click()
  await tap(/^Vegetables/)
  await page.getByText('All of these words are there already.').waitFor()
  expect(await page.getByRole('button', { name: 'Add these words' }).isDisabled()).toBe(true)
  const crops = async () => (await asked('/taxonomy_term.json?bundle=farm_crops&limit=1000')).list.length
  expect(await crops()).toBe(35)
  await tap(/^Livestock/)
  await tap('Add these words')
  await page.getByText('words added').waitFor()
  await saysInTheStrip(page, /^Sent/)
  const animals = async () => (await asked('/taxonomy_term.json?bundle=farm_animal_types')).list.length
  await expect.poll(animals).toBe(10)
  await tap('Undo')
  await expect.poll(animals).toBe(1)
  expect(await crops()).toBe(35)
})

test('a phone is told how to come in, and the steps are over when all are done', async () => {
  await device.begin(page, '/setup/phone')
  await page.getByText('npm start -- --host 0.0.0.0').waitFor()
  await look('phone')
  await tap('It is on my phone')
  await heading('First steps')
  await page.getByText('That was all.').waitFor()
  await tap('Go to Today', 'link')
  await device.begin(page, '/more')
  await page.getByRole('link', { name: /^Settings/ }).waitFor()
  expect(await page.getByRole('link', { name: /^First steps/ }).count()).toBe(0)
})

test('settings: what differs is kept, and a fault stands where it is', async () => {
  await device.begin(page, '/settings')
  await page.getByLabel('Name', { exact: true }).fill('Hill Farm and Sons')
  await page.getByLabel('Time zone').selectOption('Europe/Zurich')
  await page.getByLabel(/^Days in which/).fill('many')
  await tap('Another layer')
  await look('settings')
  await tap('Save')
  await page.getByText('Not saved: see what is marked.').waitFor()
  await page.getByText('trash_days takes a whole number of days').waitFor()
  await look('settings with faults')
  await page.getByLabel(/^Days in which/).fill('120')
  await tap('Remove')
  await page.getByRole('button', { name: 'Español' }).nth(1).click()
  await tap('Save')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await asked('/administer/settings.json')).toMatchObject({
    settings: {
      name: 'Hill Farm and Sons',
      timezone: 'Europe/Zurich',
      trash_days: 120,
      languages: ['es'],
      map_layers: [],
    },
  })
  expect(await page.locator('.strip').innerText()).not.toContain('undefined')
})

test('safety: no backup is known until one was downloaded, with the password', async () => {
  await device.begin(page, '/settings')
  await page.getByText('No backup known').waitFor()
  const field = page.getByLabel('Your password, once more')
  await field.fill('not this one')
  await tap('Download a backup')
  await page.getByText('That is not your password.').waitFor()
  await field.fill(password)
  const download = page.waitForEvent('download')
  await tap('Download a backup')
  expect((await download).suggestedFilename()).toMatch(/^farm-.*\.tar\.gz$/)
  await page.getByText('Last backup: less than an hour ago').waitFor()
  await tap('Look whether all is well')
  await page.getByText(/^(Everything is as it should be|Something is not)/).waitFor()
  await look('safety')
  expect(device.complaints).toEqual([])
})

async function tapRadio(name: string): Promise<void> {
  taps++
  await page.getByLabel(name).check()
}

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Device, saysInTheStrip, stored } from '../harness/app.ts'
import { putVerbsAtHand } from '../harness/app-verbs.ts'
import type { Client } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { browserToKill } from '../harness/killed-browser.ts'
import { type Line, openLine } from '../harness/line.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { countOf, deviceOf, newLog, save, waitingOn } from './app-outbox-farm.ts'

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

/** A line as bad as lines get: what is written may be lost on the way there, or on the way back. */
function bad(share: number): Line['fate'] {
  return ({ method }) => (method === 'GET' || Math.random() > share ? 'pass' : any(['cut', 'lost', { after: 50 }]))
}

const kills = rounds({ short: 2, long: 50 })

test.each(atLeastOn('sqlite'))(
  `%s: a browser that is killed ${kills} times after saving: each entry arrives once`,
  async (engine) => {
    const farm = await openFarm({ engine })
    const manager = await farm.login()
    const line = await openLine(farm.base)
    const browser = await browserToKill()
    const names: string[] = []
    for (let round = 0; round < kills; round += 1) {
      const device = new Device(await browser.begin(), line)
      await putVerbsAtHand(device)
      await device.logIn(manager.login)
      const page = await device.openLoaded()
      line.fate = bad(0.6)
      for (const at of ['a', 'b', 'c']) {
        const log = newLog(`Round ${round} ${at}`)
        await save(page, log)
        names.push(`Round ${round} ${at}`)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
      await browser.kill()
      line.fate = () => 'pass'
    }
    const device = new Device(await browser.begin(), line)
    await device.logIn(manager.login)
    const page = await device.open()
    await expect.poll(() => waitingOn(page)).toEqual([])
    expect(await Promise.all(names.map((name) => countOf(manager, name)))).toEqual(names.map(() => 1))
  },
)

test('two tabs save at the same time: one of them sends, each entry once, and both say so', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const device = await deviceOf(farm, manager.login)
  const [one, other] = [await device.openLoaded(), await device.openLoaded()]
  device.line.fate = bad(0.4)
  const names = [...Array(6).keys()].map((at) => `Tab ${at}`)
  await Promise.all(names.map((name, at) => save(at % 2 === 0 ? one : other, newLog(name))))
  await expect.poll(() => waitingOn(other)).toEqual([])
  await saysInTheStrip(one, /^Sent/)
  await saysInTheStrip(other, /^Sent/)
  expect(await Promise.all(names.map((name) => countOf(manager, name)))).toEqual(names.map(() => 1))
})

test('what two tabs save goes over a slow line once, since one of them sends for both', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const device = await deviceOf(farm, manager.login)
  const tabs = [await device.openLoaded(), await device.openLoaded()]
  device.line.fate = ({ method }) => (method === 'POST' ? { after: 300 } : 'pass')
  for (const at of [0, 1, 2]) for (const tab of tabs) await save(tab, newLog(`Slow ${at}`))
  for (const tab of tabs) await expect.poll(() => waitingOn(tab)).toEqual([])
  expect(device.line.asked.filter((line) => line.startsWith('POST /log'))).toHaveLength(6)
})

const edits = rounds({ short: { rounds: 1, edits: 8 }, long: { rounds: 50, edits: 20 } })

test.each(engines)(
  `%s: two devices with random edits and losses: each record once, and both are alike`,
  async (engine) => {
    const farm = await openFarm({ engine })
    const people = [await farm.login(), await farm.login()] as const
    const devices = await Promise.all(people.map((person) => deviceOf(farm, person.login)))
    const pages = await Promise.all(devices.map((device) => device.openLoaded()))
    for (let round = 0; round < edits.rounds; round += 1) {
      const known: string[] = []
      for (const device of devices) device.line.fate = bad(0.5)
      for (let at = 0; at < edits.edits; at += 1) {
        const page = any(pages)
        const made = newLog(`Made ${round} ${at}`)
        const uuid = any(known)
        if (known.length < 3 || Math.random() < 0.3) {
          known.push(made.uuid)
          await save(page, made)
        } else if (await isKnownOn(page, uuid))
          await save(page, { verb: 'change', type: 'log', uuid, fields: randomFields(`${round} ${at}`) })
      }
      for (const device of devices) device.line.fate = () => 'pass'
      for (const page of pages) await allSent(page)
      await alike(people[0], pages, known)
    }
  },
)

const randomFields = (word: string) =>
  any<object>([
    { name: `Named ${word}` },
    { notes: { value: `Noted ${word}`, format: 'farm_format' } },
    { flags: [any(['review', 'monitor', 'priority'])] },
    { done: any(['0', '1']) },
  ])

const isKnownOn = (page: Page, uuid: string): Promise<boolean> =>
  page.evaluate(`furrow.log('${uuid}').then((log) => log !== undefined)`)

/** Whoever has a conflict decides one way or the other. */
async function allSent(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(`(async () => {
        for (const { entries } of furrow.needing.value) {
          const entry = entries.find(({ problem }) => problem?.conflicts !== undefined) ?? entries[0]
          const choices = entry.problem.conflicts.map(({ field }) => [field, Math.random() < 0.5 ? 'mine' : 'theirs'])
          await furrow.resolveConflicts(entries, entry, new Map(choices))
        }
        furrow.sendNow()
      })()`)
      return waitingOn(page)
    })
    .toEqual([])
}

async function alike(client: Client, pages: readonly Page[], uuids: readonly string[]): Promise<void> {
  const onFarm = async () => {
    const all = await Promise.all(uuids.map((uuid) => client.read(`/log/${uuid}.json?with=uuid,version`)))
    return all.map(({ uuid, version, name }) => ({ uuid, version, name }))
  }
  for (const page of pages)
    await expect
      .poll(async () => {
        const rows = new Map((await stored(page, 'record')).map((row) => [row.uuid, row]))
        return uuids.map((uuid) => ({ uuid, version: rows.get(uuid)?.version, name: rows.get(uuid)?.name }))
      })
      .toEqual(await onFarm())
  const found = await Promise.all(uuids.map((uuid) => client.ids(`/log.json?uuid=${uuid}`)))
  expect(found.map(({ length }) => length)).toEqual(uuids.map(() => 1))
}

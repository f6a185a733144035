import type { Page } from 'playwright-core'
import { type Device, openDevice, type Person, stored } from '../harness/app.ts'
import { putVerbsAtHand } from '../harness/app-verbs.ts'
import type { Client } from '../harness/client.ts'

/** What a form would hand over, by words of the page. */
interface WrittenChange {
  readonly verb: 'make' | 'change' | 'remove'
  readonly type: 'log' | 'asset' | 'term'
  readonly uuid: string
  readonly bundle?: string
  readonly fields?: object
}

interface WaitingEntry {
  readonly n: number
  readonly set: string
  readonly record: string
  readonly method: string
  readonly state: string
  readonly name: string
  readonly tries: number
  readonly problem: { readonly status: number | null; readonly errors: readonly { readonly field: string }[] } | null
}

export const newUuid = (): string => crypto.randomUUID()

export const seconds = (): number => Math.floor(Date.now() / 1000)

/** A log that nobody has made yet. */
export function newLog(name: string, fields: object = {}): WrittenChange & { readonly fields: object } {
  const told = { name, timestamp: String(seconds() - 60), done: '1', ...fields }
  return { verb: 'make', type: 'log', bundle: 'farm_activity', uuid: newUuid(), fields: told }
}

/** A device whose pages can be told what to save. */
export async function deviceOf(farm: { base: string }, person: Person): Promise<Device> {
  const device = await openDevice(farm)
  await putVerbsAtHand(device)
  await device.logIn(person)
  return device
}

/** Saves as a form does, and answers once it is durable: with what undoes it. */
export function save(page: Page, ...changes: readonly WrittenChange[]): Promise<{ readonly set: string }> {
  return page.evaluate(`furrow.save(${JSON.stringify(changes)})`)
}

/** The same with photos of that many pixels a side, which no two are alike. */
export function saveWithPhotos(page: Page, change: WrittenChange, sides: readonly number[]): Promise<void> {
  return page.evaluate(`(async () => {
    const photo = (side) => new Promise((resolve) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: side, height: Math.round(side * 0.75) })
      const paper = canvas.getContext('2d')
      for (let at = 0; at < 40; at += 1) {
        paper.fillStyle = 'hsl(' + Math.random() * 360 + ' 60% 50%)'
        paper.fillRect(Math.random() * side, Math.random() * side, side / 5, side / 5)
      }
      canvas.toBlob(resolve, 'image/jpeg', 0.95)
    })
    const photos = []
    for (const side of ${JSON.stringify(sides)})
      photos.push({ record: '${change.uuid}', field: 'images', file: await photo(side) })
    await furrow.save([${JSON.stringify(change)}], { photos })
  })()`)
}

export const undo = (page: Page, saved: { readonly set: string }): Promise<void> =>
  page.evaluate(`furrow.undo(${JSON.stringify(saved)})`)

export const waitingOn = (page: Page): Promise<WaitingEntry[]> => stored<WaitingEntry>(page, 'outbox')

/** How many logs of that name the farm has. */
export async function countOf(client: Client, name: string): Promise<number> {
  return (await client.ids(`/log.json?name=${encodeURIComponent(name)}`)).length
}

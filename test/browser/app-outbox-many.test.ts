import { expect, test } from 'vitest'
import { processorClockOf } from '../harness/app.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { plantSmallFarm } from './app-farm.ts'
import { deviceOf, newLog, saveWithPhotos, waitingOn } from './app-outbox-farm.ts'

const photos = rounds({ short: 4, long: 40 })

/** A short run has nothing to say. */
const tell = rounds({ short: () => {}, long: console.log })

test('with 500 entries waiting a further one is saved, and seen, in a tenth of a second of processor time', async () => {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login()
  const { rosa } = await plantSmallFarm(manager)
  const device = await deviceOf(farm, manager.login)
  const page = await device.openLoaded()
  await device.loseServer()
  const logs = Array.from({ length: 500 }, (_, at) => newLog(`Waits ${at}`, { asset: [{ id: rosa }] }))
  for (const log of logs.slice(0, photos)) await saveWithPhotos(page, log, [1600])
  await page.evaluate(`(async () => {
    for (const log of ${JSON.stringify(logs.slice(photos))}) await furrow.save([log])
  })()`)
  expect(await waitingOn(page)).toHaveLength(500)

  const used = await processorClockOf(page)
  const oneMore = async (name: string): Promise<number> => {
    const log = newLog(name, { asset: [{ id: rosa }] })
    const before = await used()
    await page.evaluate(`furrow.save([${JSON.stringify(log)}])`)
    const time = (await used()) - before
    await page.getByText(name).first().waitFor()
    return time
  }
  const session = await device.context.newCDPSession(page)
  for (const rate of rounds({ short: [1], long: [1, 4] })) {
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    const times: number[] = []
    for (let at = 0; at < 5; at += 1) times.push(await oneMore(`At a ${rate}th, ${at}`))
    tell(`one more with 500 waiting, at 1/${rate} of the speed: ${times.map((time) => Math.round(time)).join(', ')} ms`)
    expect(Math.min(...times)).toBeLessThan(100)
  }
})

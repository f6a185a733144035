import { expect, test } from 'vitest'
import { saysInTheStrip, stored } from '../harness/app.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { plantSmallFarm } from './app-farm.ts'
import { deviceOf, newLog, save, saveWithPhotos, seconds, waitingOn } from './app-outbox-farm.ts'

const away = rounds({
  short: { engines: engines.slice(0, 1), days: 30, logs: 12, photos: 2, minutes: 4 },
  long: { engines, days: 30, logs: 500, photos: 40, minutes: 10 },
})

const day = 86_400

test.each(away.engines)(
  `%s: ${away.days} days without signal, ${away.logs} logs and ${away.photos} photos, then 1 Mbit/s: each once, in order`,
  async (engine) => {
    const farm = await openFarm({ engine })
    const manager = await farm.login()
    const small = await plantSmallFarm(manager)
    const device = await deviceOf(farm, manager.login)
    const page = await device.openLoaded()
    await device.loseServer()
    const since = seconds() - away.days * day
    const logs = [...Array(away.logs).keys()].map((at) =>
      newLog(`Away ${at}`, {
        timestamp: String(since + Math.floor((at * away.days * day) / away.logs)),
        asset: [{ id: small.rosa }],
      }),
    )
    for (const [at, log] of logs.entries())
      await (at < away.photos ? saveWithPhotos(page, log, [1600]) : save(page, log))
    expect(await waitingOn(page)).toHaveLength(away.logs)

    const session = await device.context.newCDPSession(page)
    const [offline, latency, megabit] = [false, 50, 125_000]
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency,
      downloadThroughput: megabit,
      uploadThroughput: megabit,
    })
    device.line.target = farm.base
    const before = device.line.asked.length
    await device.context.setOffline(false)
    await expect.poll(() => waitingOn(page), { timeout: away.minutes * 60_000, interval: 500 }).toEqual([])
    const photosLeft = async () =>
      (await stored<{ state: string }>(page, 'photo')).filter(({ state }) => state !== 'sent').length
    await expect.poll(photosLeft, { timeout: away.minutes * 60_000, interval: 500 }).toBe(0)
    const sent = device.line.asked.slice(before).filter((asked) => /^(POST|PUT|PATCH)/.test(asked))
    // One for each; a busy machine may have one of them sent again.
    expect(sent.length).toBeLessThanOrEqual(2 * (away.logs + away.photos))

    const ids: number[] = []
    for (const { uuid } of logs) {
      const list = (await manager.read(`/log.json?uuid=${uuid}&files=link`)).list
      expect(list).toHaveLength(1)
      ids.push(Number(list[0].id))
    }
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    const counts = await Promise.all(
      logs
        .slice(0, away.photos)
        .map(async ({ uuid }) => (await manager.read(`/log/${uuid}.json?files=link`)).images.length),
    )
    expect(counts).toEqual(counts.map(() => 1))
    await saysInTheStrip(page, /^Sent/)
  },
)

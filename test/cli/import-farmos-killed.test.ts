import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { farmos, withToken } from '../farmos-server/client.ts'
import { addLog } from '../farmos-server/farms/adding.ts'
import { manager } from '../farmos-server/farms/hill-farm.ts'
import type { FarmosServer } from '../farmos-server/server.ts'
import { engines } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { builtMain } from './built-furrow.ts'
import { type EmptyFarm, emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences, filesThatDiffer } from './farmos/same-records.ts'

function farmOfPages() {
  const farm = openHillFarm()
  for (let nth = 0; nth < 400; nth += 1) addLog(farm, `Log ${nth}`, { bundle: 'farm_observation' })
  return farm
}

interface Killing {
  readonly server: FarmosServer
  readonly place: EmptyFarm
  /** It is killed so long after it has said this. */
  readonly saying: RegExp
  readonly afterMs: number
}

async function killed({ server, place, saying, afterMs }: Killing): Promise<void> {
  const words = ['import', 'farmos', server.address, '--user', manager.name, '--password-stdin']
  const child = spawn(process.execPath, [await builtMain(), ...words], { env: { ...process.env, ...place.env } })
  child.stdin.end(manager.password)
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(`It ended before it could be killed: ${text}`)))
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (saying.test(text)) resolve()
    })
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await Promise.race([pause(afterMs), ended])
  child.kill('SIGKILL')
  await ended
}

async function expectWhole(server: FarmosServer, place: EmptyFarm): Promise<void> {
  const outcome = await moveIn(server, place, ['--resume'])
  expect(outcome.code, said(outcome)).toBe(0)
  const farm = await opened(place)
  expect(await differences(await withToken(server), farm.client)).toEqual([])
  expect(await filesThatDiffer(server, farm.client)).toEqual([])
  await farm.close()
}

describe.each(engines)('moving in, killed on the way, on %s', (engine) => {
  it.each(rounds({ short: [250], long: [0, 100, 250, 400, 600, 900, 1300] }))(
    'goes on when it was killed %d ms after everything was read',
    async (afterMs) => {
      const [server, place] = [await farmos(farmOfPages()), await emptyFarm(engine)]
      await killed({ server, place, saying: /^Read: /m, afterMs })
      await expectWhole(server, place)
    },
  )
})

it('files that were read before are not read again', async () => {
  const [server, place] = [await farmos(farmOfPages()), await emptyFarm()]
  await killed({ server, place, saying: /now has the records/, afterMs: 0 })
  await expectWhole(server, place)
  const files = server.requests.map(({ path }) => path).filter((path) => /^\/(sites|system)/.test(path))
  expect(new Set(files).size).toBe(files.length)
})

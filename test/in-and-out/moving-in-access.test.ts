import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { furrow } from '../cli/built-furrow.ts'
import { farmos, passwordGrant, Visitor } from '../farmos-server/client.ts'
import type { Farm } from '../farmos-server/data/farm.ts'
import { addLog } from '../farmos-server/farms/adding.ts'
import type { FarmosServer } from '../farmos-server/server.ts'
import { emptyPlace, engineUnderTest } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { at, moveIn, moveInByToken, plainHillFarm, served } from './moving-in.ts'

const engine = engineUnderTest()

async function tokenOf(server: FarmosServer): Promise<string> {
  const { body } = await new Visitor(server).send('/oauth2/token', passwordGrant)
  return body.access_token
}

/** They are about the way there: the engine has no part in it. */
const promises: Readonly<Record<string, () => Promise<void>>> = {
  'with a token alone private files are listed as missing before the start, and lost in the end': async () => {
    const server = await farmos(plainHillFarm())
    const place = await emptyPlace(engine)
    const outcome = await moveInByToken(server.address, await tokenOf(server), { place })
    expect(outcome.code, outcome.stdout + outcome.stderr).toBe(1)
    const [before = ''] = outcome.stdout.split('now has the records')
    expect(before).toContain('harvest.png) is private: only a login by password can read it')
    expect(outcome.stdout).toMatch(/Lost: 2/)
  },

  'a token that ends stops it and names --resume, and with another one it goes on': async () => {
    const farm = plainHillFarm()
    for (let nth = 0; nth < 500; nth += 1) addLog(farm, `Log ${nth}`, { bundle: 'farm_activity' })
    const server = await farmos(farm)
    const place = await emptyPlace(engine)
    server.meanwhile({ path: /^\/log\.json.*page=2/ }, () => server.endTokens('all'))
    const ended = await moveInByToken(server.address, await tokenOf(server), { place })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('does not take the token')
    expect(ended.stderr).toContain('--resume')
    const asked = server.requests.length
    const outcome = await moveInByToken(server.address, await tokenOf(server), { place, more: ['--resume'] })
    expect(outcome.stdout).toContain('now has the records')
    const again = server.requests.slice(asked).findIndex(({ path }) => path.includes('sort=changed'))
    const pages = server.requests.slice(asked, asked + again).filter(({ path }) => /^\/log\.json\?sort=id/.test(path))
    expect(pages.length).toBeLessThan(6)
  },

  'with a password it logs in again when the token ends': async () => {
    const server = await farmos(plainHillFarm())
    const place = await emptyPlace(engine)
    server.meanwhile({ path: /^\/farm_asset\.json/ }, () => server.endTokens('access'))
    server.meanwhile({ path: /^\/log\.json.*sort=changed/ }, () => server.endTokens('all'))
    server.meanwhile({ path: /\/system\/files/, at: 2 }, () => server.endSessions())
    const outcome = await moveIn(server.address, place)
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
  },

  'trouble that passes is waited for, with four requests at a time at most': async () => {
    const farm = plainHillFarm()
    for (let nth = 0; nth < rounds({ short: 1_000, long: 1_500 }); nth += 1)
      addLog(farm, `Log ${nth}`, { bundle: 'farm_activity' })
    const server = await farmos(farm)
    const place = await emptyPlace(engine)
    server.fail({ path: /^\/log\.json/, every: 9, times: 4, status: 503, headers: { 'Retry-After': '1' } })
    server.fail({ path: /^\/taxonomy_term\.json/, at: 2, times: 1, cut: true })
    server.fail({ path: /^\/farm_asset\.json/, at: 1, times: 1, cut: 'quietly' })
    server.fail({ path: /harvest/, at: 1, times: 1, cut: 'quietly' })
    server.fail({ path: /^\/file\//, at: 2, times: 1, status: 500 })
    const outcome = await moveIn(server.address, place)
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ code: 0 })
    expect(server.mostAtOnce).toBeLessThanOrEqual(4)
  },

  'what is written over there while it is read comes along': async () => {
    const farm = plainHillFarm()
    for (let nth = 0; nth < 400; nth += 1) addLog(farm, `Log ${nth}`, { bundle: 'farm_activity' })
    const server = await farmos(farm)
    const place = await emptyPlace(engine)
    const removed = (id: number) => (there: Farm) => {
      there.logs = there.logs.filter((log) => log.id !== id)
    }
    server.meanwhile({ path: /^\/log\.json.*page=1/ }, removed(20))
    server.meanwhile({ path: /^\/log\.json.*page=3/ }, (there) => {
      for (const log of there.logs) if (log.id === 30) Object.assign(log, { name: 'Renamed', changed: 2_000_000_000 })
      addLog(there, 'Came last', { bundle: 'farm_activity', changed: 1_900_000_000 })
    })
    const outcome = await moveIn(server.address, place)
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ code: 0 })
    const { client } = await served(place)
    const { list } = (await client.get('/log.json?limit=1000')).body
    expect(list.map(({ id }: { id: string }) => Number(id))).toEqual(server.farm.logs.map(({ id }) => id))
    expect(list.find(({ id }: { id: string }) => id === '30').name).toBe('Renamed')
  },

  'nothing is asked of another host, and nothing over a way that everybody can read': async () => {
    const server = await farmos(plainHillFarm())
    const place = await emptyPlace(engine)
    server.fail({ path: /^\/farm_asset\.json/, redirect: 'http://elsewhere.example/farm_asset.json' })
    const redirected = await moveIn(server.address, place)
    expect(redirected.code).toBe(1)
    expect(redirected.stderr).toContain('nothing is asked of another host')
    const open = await moveIn('http://203.0.113.7', place)
    expect(open.code).toBe(2)
    expect(open.stderr).toContain('--insecure')
    const wrong = await furrow(
      ['import', 'farmos', server.address, '--user', 'hanna', '--password-stdin', ...at(await emptyPlace(engine))],
      {
        input: 'wrong',
      },
    )
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('does not take this user name and password')
  },

  'a wrong password or a server that is none leaves nothing behind': async () => {
    const server = await farmos(plainHillFarm())
    const place = await emptyPlace('sqlite')
    const args = ['import', 'farmos', server.address, '--user', 'hanna', '--password-stdin', ...at(place)]
    expect(await furrow(args, { input: 'wrong' })).toMatchObject({ code: 1 })
    expect(await readdir(place.data)).toEqual([])
    expect(await moveIn(server.address, place)).toMatchObject({ code: 0 })
  },
}

it.each(shareOfThisEngine(Object.entries(promises)))('moving in keeps a promise: %s', (_, isKept) => isKept())

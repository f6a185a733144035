import { beforeEach, describe, expect, it } from 'vitest'
import { farmos, withToken } from '../farmos-server/client.ts'
import type { Farm } from '../farmos-server/data/farm.ts'
import { addAccount, addAsset, addLog } from '../farmos-server/farms/adding.ts'
import { grownFarm } from '../farmos-server/farms/grown-farm.ts'
import type { FarmosServer, Start } from '../farmos-server/server.ts'
import { rounds } from '../harness/rounds.ts'
import { type EmptyFarm, emptyFarm, moveIn, opened, openHillFarm, said } from './farmos/moving-in.ts'
import { differences, filesThatDiffer } from './farmos/same-records.ts'

/** Known types only, and more than one page. */
function ordinaryFarm(logs: number): Farm {
  const farm = openHillFarm()
  for (let nth = farm.logs.length; nth < logs; nth += 1)
    addLog(farm, `Log ${nth}`, { bundle: nth % 2 === 0 ? 'farm_activity' : 'farm_observation' })
  return farm
}

describe('reading a farmOS 1.x', () => {
  let server: FarmosServer
  let place: EmptyFarm

  beforeEach(async () => {
    place = await emptyFarm()
  })

  const begin = async (logs = 250, start: Start = {}) => {
    server = await farmos(ordinaryFarm(logs), start)
  }

  async function expectEqual(): Promise<void> {
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(0)
    server.mend()
    const farm = await opened(place)
    expect(await differences(await withToken(server), farm.client)).toEqual([])
    expect(await filesThatDiffer(server, farm.client)).toEqual([])
    await farm.close()
  }

  it('finds a record that slipped to a page already read, because another was removed', async () => {
    await begin()
    server.meanwhile({ path: /^\/log\.json.*page=1/ }, (farm) => {
      farm.logs = farm.logs.filter(({ id }) => id !== 40)
    })
    await expectEqual()
  })

  it('finds what was written and changed while it was read', async () => {
    await begin()
    server.meanwhile({ path: /^\/log\.json.*page=2/ }, (farm) => {
      addLog(farm, 'New', { bundle: 'farm_activity', changed: 2_000_000_000 })
      for (const log of farm.logs) if (log.id === 30) Object.assign(log, { name: 'Changed', changed: 2_000_000_001 })
      for (const term of farm.terms) if (term.id === 9) term.name = 'North field, renamed'
    })
    await expectEqual()
  })

  it('finds one change among many of what was not read yet', async () => {
    await begin(450)
    server.meanwhile({ path: /^\/log\.json.*page=1/ }, ({ logs }) => {
      for (const log of logs) {
        if (log.id === 30) Object.assign(log, { name: 'Changed', changed: 2_000_000_000 })
        if (log.id > 310) log.changed = 2_000_000_001
      }
    })
    await expectEqual()
  })

  it('drops nothing because one page was not there for a moment', async () => {
    await begin(350)
    server.fail({ path: /^\/log\.json.*full=0.*page=1/, at: 1, status: 404 })
    await expectEqual()
  })

  it('takes a page that is never answered for no empty one', async () => {
    await begin(350)
    server.fail({ path: /^\/log\.json.*page=1/, status: 404 })
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(1)
    expect(said(outcome)).toContain('/log.json')
  })

  it('finds all records though many were changed in one second, and come in any order', async () => {
    await begin(250, { ties: 'turned round on every second page' })
    for (const log of server.farm.logs) log.changed = 1_600_000_000
    await expectEqual()
  })

  it('reads a server under a folder, that calls itself otherwise, and gives small pages', async () => {
    await begin(60, { under: '/farm', ownName: 'https://www.hill.example/farm', mostPerPage: 7 })
    await expectEqual()
  })

  it('notices a file that ended in the middle, and gets it again', async () => {
    await begin(20)
    server.fail({ path: /^\/(sites|system)/, at: 2, cut: 'quietly' })
    await expectEqual()
  })

  it('notices a page of a proxy that came instead of an answer', async () => {
    await begin(20)
    server.fail({ path: /^\/log\.json/, at: 2, status: 200, body: '<html>Log in to the network</html>' })
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).not.toBe(0)
    expect(said(outcome)).toMatch(/JSON/)
    server.mend()
    const resumed = await moveIn(server, place, ['--resume'])
    expect(resumed.code, said(resumed)).toBe(0)
  })

  it('follows a redirect on the same host', async () => {
    await begin(20)
    server.fail({
      path: /^\/farm_asset\.json\?/,
      times: 1,
      redirect: `${server.address}/farm_asset.json?sort=id&limit=100&page=0`,
    })
    await expectEqual()
  })

  it('reads many logs at full pages', async () => {
    const logs = rounds({ short: 800, long: 5_000 })
    server = await farmos({ ...grownFarm(logs), tellsOfBlockedAccounts: true })
    const module = `${place.data}/beekeeping.mjs`
    const described = await moveIn(server, place, ['--write-module', module])
    expect(described.code, said(described)).toBe(0)
    const pages = (from = 0) => server.requests.slice(from).filter(({ path }) => /^\/log\.json\?sort/.test(path))
    // Once in full, and once by number alone.
    expect(pages().length).toBeLessThan(2 * (logs / 100 + 3))
    const before = server.requests.length
    const moved = await moveIn(server, place, ['--resume', '--module', module])
    expect(moved.code, said(moved)).not.toBe(1)
    // Nothing is read again in full, but for the verdict.
    expect(pages(before).filter(({ path }) => !path.includes('full=0')).length).toBeLessThan(logs / 100 + 8)
  })

  it('tells on a pipe how far it is, out of how many there are', async () => {
    await begin(223)
    const outcome = await moveIn(server, place)
    expect(outcome.stderr).toMatch(/% {2}logs {2}223 of 223 /)
    expect(outcome.stderr).not.toMatch(/% {2}logs {2}\d+ of (?!223 )/)
    expect(outcome.stderr).toMatch(/ files fetched /)
  })

  it('says that all is done when it is asked to go on after the verdict', async () => {
    await begin(20)
    expect(await moveIn(server, place)).toMatchObject({ code: 0 })
    const asked = server.requests.length
    const again = await moveIn(server, place, ['--resume'])
    expect(again.code, said(again)).toBe(0)
    expect(again.stdout).toContain('--verify-only')
    expect(server.requests.length).toBe(asked)
    expect(await moveIn(server, place)).toMatchObject({ code: 1 })
  })

  it('tells an account without a role that it may not read', async () => {
    await begin(20)
    for (const account of server.farm.accounts) if (account.name === 'hanna') account.roles = [2]
    const outcome = await moveIn(server, place)
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain('its account may not read the farm')
    expect(outcome.stderr).not.toContain('token')
  })

  it('stops a file that is much larger than it is said to be, and tells that it is lost', async () => {
    await begin(20)
    const file = server.farm.files.find(({ name }) => name === 'crates.png')
    server.fail({ path: /crates\.png/, flood: 2 ** 29 })
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(1)
    expect(outcome.stdout).toMatch(
      new RegExp(`images\\[1\\] is a file that could not be read: lost \\(file ${file?.id}:`),
    )
    expect(server.requests.filter(({ path }) => path.includes('crates.png'))).toHaveLength(1)
  })

  it('counts and names items of lists without a sound number, and reads the others', async () => {
    await begin(120)
    for (const log of server.farm.logs) if (log.name === 'Log 50') Object.assign(log, { id: 'fifty' })
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(1)
    expect(outcome.stdout).toContain('Lost: 1')
    expect(outcome.stdout).toContain('log "fifty" (Log 50) has no sound number: lost')
  })

  it('keeps authors and owners whom the other server leaves out because they are blocked', async () => {
    const farm = ordinaryFarm(150)
    farm.tellsOfBlockedAccounts = false
    addAccount(farm, 'gone away', { id: 23, isBlocked: true })
    const [first, last] = [
      addLog(farm, 'Blocked first', { bundle: 'farm_activity', author: 23, values: { log_owner: [23, 3] } }),
      addLog(farm, 'Blocked last', { bundle: 'farm_activity', values: { log_owner: [3, 23] } }),
    ]
    const asset = addAsset(farm, 'Of nobody who is told', { bundle: 'equipment', author: 23 })
    server = await farmos(farm)
    const outcome = await moveIn(server, place)
    expect(outcome.code, said(outcome)).toBe(3)
    expect(outcome.stdout).toContain('account 23 is not told by the other server')
    const { client, close } = await opened(place)
    const people = async (path: string) => {
      const { uid, log_owner = [] } = await client.read(path)
      return [uid.id, ...log_owner.map(({ id }: { id: string }) => id)]
    }
    expect(await people(`/log/${first}.json`)).toEqual(['23', '23', '3'])
    expect(await people(`/log/${last}.json`)).toEqual(['3', '3', '23'])
    expect(await people(`/farm_asset/${asset}.json`)).toEqual(['23'])
    await close()
  })
})

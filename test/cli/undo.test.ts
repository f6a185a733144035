import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { examinedAt } from '../operation/examined.ts'
import { builtMain, furrow, type RunningServer, serve } from './built-furrow.ts'
import { managerOf } from './manager-of.ts'

describe.each(atLeastOn('postgres'))('undoing beside a running server on %s', (engine) => {
  let server: RunningServer
  let env: Record<string, string>
  let place: Awaited<ReturnType<typeof emptyPlace>>
  let ada: Client

  beforeAll(async () => {
    place = await emptyPlace(engine)
    env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    server = await serve([], { env })
    ada = await managerOf(server.address, env)
  })

  const log = (more: object) => ({ type: 'farm_activity', timestamp: 100, name: 'Log', ...more })

  /** Logs, each with a word of its own. */
  async function manyLogs(prefix: string, count: number): Promise<{ set: string; logs: string[] }> {
    const operations = Array.from({ length: count }, (_, nth) => ({
      method: 'POST',
      path: '/log',
      body: log({ name: `${prefix} ${nth}`, log_category: [{ name: `${prefix} word ${nth}` }] }),
    }))
    const answer = await ada.post('/batch', { operations })
    expect(answer.status, answer.text.slice(0, 200)).toBe(200)
    return { set: answer.headers.get('change-set') ?? '', logs: answer.body.results.map(({ id }: Json) => id) }
  }

  const countOf = async (set: string): Promise<Json> => (await ada.read(`/sets/${set}.json?limit=1`)).counts
  const undoingOf = async (set: string): Promise<string> => (await ada.read(`/sets/${set}.json?limit=1`)).undone_by

  it('lists sets by user and time, and tells the history of a record', async () => {
    const made = await ada.post('/log', log({ name: 'Told' }))
    const set = made.headers.get('change-set')
    await ada.put(`/log/${made.body.id}`, { name: 'Told again' })
    const { stdout } = await furrow(['sets', '--user', 'ada', '--from', '1h', '--limit', '2'], { env })
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^SET +TIME +USER +CHANGES +UNDONE BY$/),
      expect.stringMatching(/^[\da-f-]{36} +20\S+Z +ada +1 log changed +-$/),
      expect.stringMatching(new RegExp(`^${set} +20\\S+Z +ada +1 log made +-$`)),
      '',
    ])
    expect(JSON.parse((await furrow(['sets', '--to', '2020-01-01', '--json'], { env })).stdout)).toEqual([])
    const told = await furrow(['history', 'log', made.body.id], { env })
    expect(told.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^REVISION +TIME +USER +WHAT +FIELDS +SET$/),
      expect.stringMatching(/^2 +20\S+Z +ada +update +name +[\da-f-]{36}$/),
      expect.stringMatching(new RegExp(`^1 +20\\S+Z +ada +create +name .*${set}$`)),
    ])
    const { uuid } = await ada.read(`/log/${made.body.id}/history.json`)
    expect(JSON.parse((await furrow(['history', 'log', uuid, '--json'], { env })).stdout)).toMatchObject({
      id: made.body.id,
      revisions: [{ fields: { name: { before: 'Told', after: 'Told again' } } }, {}],
    })
  })

  it('undoes a small set, or says what is in the way', async () => {
    const made = await ada.post('/log', log({}))
    await ada.put(`/log/${made.body.id}`, { name: 'Later' })
    const set = made.headers.get('change-set') ?? ''
    const refused = await furrow(['undo', set], { env })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was changed by ada') })
    const left = await furrow(['undo', set, '--leave-used'], { env })
    expect(left).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing was undone\.\nLEFT .*\nlog \d+ +Log/),
    })
    const other = (await ada.post('/log', log({}))).headers.get('change-set') ?? ''
    const dry = await furrow(['undo', other, '--dry-run'], { env })
    expect(dry).toMatchObject({ code: 0, stdout: 'A dry run, nothing was changed. To be undone: 1 removed.\n' })
    expect(await undoingOf(other)).toBe(null)
    expect((await furrow(['undo', set, '--dry-run'], { env })).stderr).toContain('was changed by ada')
    const done = await furrow(['undo', other], { env })
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Undone by the set \S+: 1 removed\.\n$/) })
    expect(await undoingOf(other)).toBe(/set (\S+):/.exec(done.stdout)?.[1])
    expect(await furrow(['undo', other], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
  })

  /** Runs a command, and writes logs until it has come to its end, with pauses in which it gets on. */
  async function besideWrites(args: readonly string[]) {
    const running = furrow(args, { env })
    let isRunning = true
    void running.finally(() => {
      isRunning = false
    })
    let written = 0
    while (isRunning) {
      expect((await ada.post('/log', log({ name: 'Meanwhile' }))).status).toBe(201)
      written += 1
      await pause(20)
    }
    expect(written).toBeGreaterThan(3)
    return running
  }

  it('undoes more than a request does, while others go on writing, and does it again', async () => {
    const { set, logs } = await manyLogs('Many', 510)
    expect((await ada.send('POST', `/changes/${set}/undo`)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining(`furrow undo ${set}`),
    })
    const user = await ada.create('log', log({ log_category: [{ name: 'Many word 7' }] }))
    const dry = await besideWrites(['undo', set, '--dry-run'])
    expect(dry.stdout).toContain('To be undone: 1019 removed.')
    expect(dry.stdout).toMatch(/^term \d+ +Many word 7 /m)
    expect(await countOf(set)).toEqual({ log: { create: 510 }, taxonomy_term: { create: 510 } })
    expect(await undoingOf(set)).toBe(null)
    const outcome = await besideWrites(['undo', set])
    expect(outcome.stderr).toBe('')
    expect(outcome.stdout).toContain('1019 removed')
    expect(outcome.stdout).toMatch(new RegExp(`^term \\d+ +Many word 7 +is used by log ${user}$`, 'm'))
    const undoing = await undoingOf(set)
    expect(await countOf(undoing)).toEqual({ log: { remove: 510 }, taxonomy_term: { remove: 509 } })
    expect((await furrow(['undo', undoing], { env })).stdout).toContain('1019 restored')
    expect(await ada.read(`/log/${logs[7]}.json`)).toMatchObject({
      name: 'Many 7',
      log_category: [{ name: 'Many word 7' }],
    })
    expect(await undoingOf(set)).toBe(null)
  }, 300_000)

  /** Kills an undoing once it has begun; undefined where it was too quick for that. */
  async function killedUndoing(nth: number) {
    const { set, logs } = await manyLogs(`Killed ${nth}`, 200)
    const child = spawn(process.execPath, [await builtMain(), 'undo', set], { env: { ...process.env, ...env } })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let undoing: string | null = null
    while (undoing === null || (await countOf(undoing)).log === undefined) {
      await pause(5)
      undoing = await undoingOf(set)
    }
    child.kill('SIGKILL')
    await ended
    const { log: of, taxonomy_term } = await countOf(undoing)
    return of.remove + (taxonomy_term?.remove ?? 0) < 400 ? { set, logs, undoing } : undefined
  }

  it('goes on where it was killed, as the same set', async () => {
    let killed: Awaited<ReturnType<typeof killedUndoing>>
    for (let nth = 0; killed === undefined; nth += 1) killed = await killedUndoing(nth)
    const { set, logs, undoing } = killed
    for (const which of [set, undoing])
      expect((await ada.send('POST', `/changes/${which}/undo`)).body).toMatchObject({
        status: 409,
        detail: expect.stringContaining('goes on with it'),
      })
    expect(await furrow(['undo', set], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await undoingOf(set)).toBe(undoing)
    expect(await countOf(undoing)).toEqual({ log: { remove: 200 }, taxonomy_term: { remove: 200 } })
    expect((await ada.get(`/log/${logs[199]}.json`)).status).toBe(404)
    expect(await furrow(['undo', set], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
  }, 300_000)

  it.each([
    [['undo', 'nothing'], 1, 'There is no set of changes "nothing"'],
    [['history', 'cow', '1'], 2, 'log, asset, term'],
    [['history', 'log', '987654'], 1, 'There is no log 987654'],
    [['history', 'log', 'x'], 1, 'There is no log x'],
    [['sets', '--user', 'nobody'], 1, 'There is no account named "nobody"'],
    [['sets', '--from', 'yesterday'], 2, '--from "yesterday"'],
  ])('refuses %j', async (args, code, words) => {
    expect(await furrow(args, { env })).toMatchObject({ code, stderr: expect.stringContaining(words) })
  })

  it('leaves a farm on which the doctor finds nothing', async () => {
    await server.stop()
    expect(await examinedAt(place)).toEqual([])
  })
})

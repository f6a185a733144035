import { openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { progressLine } from '../../src/cli/progress-line.ts'
import { builtMain } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'

/** As it was built: the thread that paints starts from a file. */
let withProgress: typeof import('../../src/cli/progress.ts').withProgress

beforeAll(async () => {
  const built = join(dirname(await builtMain()), 'cli/progress.js')
  withProgress = (await import(built)).withProgress
})

async function screen(isTTY: boolean, columns = 80) {
  const path = join(await emptyDirectory(), 'screen')
  return { isTTY, columns, fd: openSync(path, 'w'), shown: () => readFileSync(path, 'utf8') }
}

const wipe = '\r\x1b[K'

/** The seconds that were shown while the database worked. */
const timesIn = (shown: string) =>
  new Set([...shown.matchAll(/the database itself {2}(\d+) s/g)].map(([, seconds]) => Number(seconds)))

describe('work that takes longer than two seconds', () => {
  test('shows on a terminal how far it is, and wipes it away at the end', async () => {
    const terminal = await screen(true)
    const answer = await withProgress(async (report) => {
      report('log', 3, 4)
      await expect.poll(terminal.shown).toContain(`${wipe}[##################......] 75 %  log  3 of 4  `)
      return 'done'
    }, terminal)
    expect(answer).toBe('done')
    expect(terminal.shown()).not.toMatch(/ [01] s/)
    expect(terminal.shown().endsWith(`s${wipe}`)).toBe(true)
  })

  test('does so while one long query holds everything up', async () => {
    const terminal = await screen(true)
    await withProgress(async (report) => {
      report('the database itself', 0, 0)
      const standstill = new Int32Array(new SharedArrayBuffer(4))
      for (let waits = 0; waits < 60 && timesIn(terminal.shown()).size < 2; waits += 1)
        Atomics.wait(standstill, 0, 0, 500)
    }, terminal)
    const times = timesIn(terminal.shown())
    expect(times.size).toBe(2)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(2)
  })

  test('keeps to one line of a narrow terminal', async () => {
    const terminal = await screen(true, 20)
    await withProgress(async (report) => {
      report('a'.repeat(60), 0, 0)
      await expect.poll(terminal.shown).not.toBe('')
    }, terminal)
    const lines = new Set(terminal.shown().split(wipe))
    expect(lines).toEqual(new Set(['', 'a'.repeat(19)]))
  })

  test('wipes its line away when it fails', async () => {
    const terminal = await screen(true)
    const failing = withProgress(async (report) => {
      report('log', 1, 4)
      await expect.poll(terminal.shown).not.toBe('')
      throw new Error('broken')
    }, terminal)
    await expect(failing).rejects.toThrow('broken')
    expect(terminal.shown().endsWith(wipe)).toBe(true)
  })

  test('shows nothing where nobody watches', async () => {
    const pipe = await screen(false)
    await withProgress(async (report) => {
      report('log', 1, 4)
      await sleep(2_500)
    }, pipe)
    expect(pipe.shown()).toBe('')
  })
})

test('the line tells how fast it goes and how long it will take, once that is known', () => {
  const line = (done: number, seconds: number) =>
    progressLine({ what: 'logs', done, total: 5_000 }, seconds, { done, seconds })
  expect(line(100, 1)).toMatch(/100 of 5,000 {2}1 s$/)
  expect(line(2_000, 10)).toMatch(/2,000 of 5,000 {2}10 s {2}200\/s {2}15 s left$/)
  expect(line(20, 10)).toMatch(/2\.0\/s {2}42 min left$/)
  expect(line(5_000, 10)).toMatch(/500\/s$/)
})

test('quick work shows nothing on a terminal either', async () => {
  const terminal = await screen(true)
  await withProgress(async (report) => report('log', 4, 4), terminal)
  expect(terminal.shown()).toBe('')
})

test('progress of unknown length counts, or tells the time', () => {
  expect(progressLine({ what: 'Verifying', done: 12_345, total: 0 }, 9.9)).toBe('Verifying  12,345  9 s')
  expect(progressLine({ what: 'Looking', done: 0, total: 0 }, 9.9)).toBe('Looking  9 s')
  expect(progressLine({ what: 'log', done: 5, total: 10 }, 3)).toBe(
    '[############............] 50 %  log  5 of 10  3 s',
  )
})

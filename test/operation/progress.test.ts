import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { progressLine, withProgress } from '../../src/cli/operation/progress.ts'

const screen = (isTTY: boolean) => {
  const texts: string[] = []
  return { isTTY, texts, write: (text: string) => texts.push(text) }
}

test('work that takes longer than two seconds shows on a terminal how far it is, and wipes it away at the end', async () => {
  const terminal = screen(true)
  const answer = await withProgress(async (report) => {
    report('log', 1, 4)
    expect(terminal.texts).toEqual([])
    await sleep(2_100)
    report('log', 3, 4)
    return 'done'
  }, terminal)
  expect(answer).toBe('done')
  expect(terminal.texts[0]).toContain('75 %  log  3 of 4')
  expect(terminal.texts.at(-1)).toBe('\r\x1b[K')
})

test('quick work, and work that nobody watches, shows nothing', async () => {
  for (const isTTY of [true, false]) {
    const quiet = screen(isTTY)
    await withProgress(async (report) => report('log', 4, 4), quiet)
    expect(quiet.texts).toEqual([])
  }
})

test('progress of unknown length counts', () => {
  expect(progressLine({ what: 'Verifying', done: 12_345, total: 0, seconds: 9.9 })).toBe('Verifying  12,345  9 s')
  expect(progressLine({ what: 'log', done: 5, total: 10, seconds: 3 })).toBe(
    '[############............] 50 %  log  5 of 10  3 s',
  )
})

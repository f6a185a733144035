import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageWith } from '../../bench/report.mjs'
import {
  againstSection,
  growthSection,
  idleSection,
  importsSection,
  movingSection,
  nodesSection,
  reportsSection,
  requestsSection,
} from '../../bench/sections.mjs'
import { root } from './tree.ts'

const when = '2026-11, load 0.4'
const judged = { rate: 376, p50: 17.7, p99: 83.1, cpu: 0.002119, compared: { rate: 0.72, cpu: 0.46 }, of: undefined }
const grown = { smallest: 0.000621, largest: 0.000685, times: 1.03, isMissed: false }

/** What a whole run of each part writes, by the heading that it writes under. */
const sections = {
  Requests: requestsSection(
    [
      {
        title: 'POST log',
        sqlite: { ...judged, verdict: '0.5 met' },
        postgres: { ...judged, rate: 153, cpu: 0.009047, compared: { rate: 0.3, cpu: 0.19 }, verdict: '0.35 missed' },
      },
      { title: 'batch', slowDisk: { ...judged, of: 'post-alone', verdict: '10 missed' } },
    ],
    { logs: 10_000, connections: 8, when, notes: ['POST log, sqlite: 3 requests beside 9 were sent away (503).'] },
  ),
  Idle: idleSection({ start: 445, longestStart: 500, bare: 131, memory: 113, mostMemory: 120, when }),
  'Several nodes': nodesSection(
    [{ title: 'page of 100 logs', apart: 0.001459, shared: 0.001737, ratio: 1.19, isMissed: true }],
    { acknowledged: 6_526, allowed: 1.1, when },
  ),
  Moving: movingSection({
    logs: 50_000,
    exported: 11_945.4,
    imported: [
      ['sqlite', 6_419],
      ['postgres', 4_555],
    ],
    asked: 5_000,
    when,
  }),
  'Taking sheets and maps in': importsSection(
    [{ title: '10,000 new logs', seconds: 20, cpuSeconds: 12, writer: 10.4, reader: 0.7, isMissed: true }],
    { allowed: { sheet: 15, map: 60, writer: 5, reader: 1 }, when },
  ),
  Growth: growthSection([{ title: 'one log', sqlite: grown, postgres: grown }], {
    sizes: [10_000, 100_000, 1_000_000],
    bytesPerLog: 2_130,
    states: ['SQLite: first answer after 632 to 687 ms, 191 to 206 MB resident'],
    allowed: '1.5 on SQLite, 2 on PostgreSQL, 3 for the last page',
    when,
  }),
  Reports: reportsSection(
    [
      { report: 'harvest', farm: '10,000 logs', engine: 'sqlite', logs: 1_718, seconds: 0.07, cpu: 0.05 },
      { report: 'harvest', farm: '10,000 logs', engine: 'postgres', logs: 1_718, seconds: 1.92, cpu: 1.1 },
    ],
    { longest: 1, when },
  ),
  'Against an earlier commit': againstSection(
    [
      ['page of 100 logs', 0.84],
      ['one log', null],
    ],
    { earlier: '3756443', when },
  ),
}

const page = readFileSync(join(root, 'docs/performance.md'), 'utf8')

it.each(Object.entries(sections))('the bench writes "%s" as one table or one paragraph', (heading, text) => {
  expect(page).toContain(`\n## ${heading}\n`)
  const [question = '', table = '', ...others] = text.split('\n\n')
  expect([others, question.startsWith('|')]).toEqual([[], false])
  expect(question.split(/\s+/).length).toBeLessThan(80)
  expect(table === '' || /^\|[^\n]*\n\|---\|/.test(table)).toBe(true)
  const written = pageWith(page, heading, text)
  expect(written.split('\n').filter((line) => line.length > 120 && !line.startsWith('|'))).toEqual([])
  expect(pageWith(written, heading, text)).toBe(written)
})

it('a run keeps what people wrote after its first table, and every other section', () => {
  const before =
    '# Performance\n\n## Idle\n\nOld.\n\nLearnt.\n\n## Reports\n\nHow?\n\n| a |\n|---|\n\nLearnt.\n\n| b |\n|---|\n'
  const idle = pageWith(before, 'Idle', 'New.')
  expect(idle).toBe(before.replace('Old.', 'New.'))
  expect(pageWith(idle, 'Reports', 'New?\n\n| c |\n|---|')).toBe(idle.replace('How?', 'New?').replace('| a |', '| c |'))
})

it('a row has the figures of both engines, and says what was missed', () => {
  expect(sections.Requests).toContain(
    '| POST log | 376 | 17.7 / 83.1 | 2119 | 0.72 (0.46) | 0.5 met | 153 | 9047 | 0.19 | 0.35 missed |\n' +
      '| batch, slow disk | 376 | 17.7 / 83.1 | 2119 | 0.72 × post-alone (0.46) | 10 missed |  |  |  |  |',
  )
  expect(sections['Several nodes']).toContain('| page of 100 logs | 1459 | 1737 | 1.19 missed |')
  expect(sections.Growth).toContain('| one log | 621, 685 | 1.03 | 621, 685 | 1.03 |')
  expect(sections.Reports).toContain('| harvest | 10,000 logs | 1718 | 0.07 (0.05) | 1.92 (1.10) missed |')
})

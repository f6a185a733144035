import { beforeAll, expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { results, taken } from './sheet-client.ts'

let ada: Client

beforeAll(async () => {
  const farm = await openFarm()
  await farm.installation.database.write((tx) => writeFarmSetting(tx, 'timezone', 'Europe/Berlin'))
  ada = await farm.login('worker')
  for (const [name, at, value] of [
    ['Kale', '2025-05-01T08:30:00+02:00', '1234.5'],
    ['Leek', '2025-10-26T02:30:00+01:00', '12.25'],
    ['Beet', '2025-05-01T08:30:15+02:00', '7'],
  ])
    await ada.create('log', {
      type: 'farm_harvest',
      name,
      timestamp: Date.parse(at ?? '') / 1000,
      done: 1,
      quantity: [{ measure: 'weight', value, unit: { name: 'kg' } }],
    })
})

test.each([
  ['German', 'de', '&sep=semicolon&decimal=,', 'Zeitpunkt', ['01.05.2025 08:30', '1234,5']],
  ['Spanish', 'es', '&sep=semicolon&decimal=,', 'Momento', ['2025-05-01 08:30', '1234,5']],
  ['English', 'en', '', 'Timestamp', ['2025-05-01 08:30', '1234.5']],
])(
  'a %s spreadsheet opens CSV right by a double click, and sent back it says unchanged',
  async (_, language, more, head, cells) => {
    const query = `type=farm_harvest&rows=quantity&head=label&times=local&bom=1&language=${language}${more}`
    const text = await (await ada.stream(`/log.csv?${query}`, {})).text()
    expect(text).toContain(head)
    for (const cell of cells) expect(text).toContain(cell)
    // An hour that the clocks show twice needs its offset.
    expect(text).toContain('2025-10-26T02:30:00+01:00')
    expect(text).toContain('08:30:15')
    const outcome = await taken(ada, '/log?type=farm_harvest&rows=quantity', text)
    expect(new Set(results(outcome))).toEqual(new Set(['unchanged']))
  },
)

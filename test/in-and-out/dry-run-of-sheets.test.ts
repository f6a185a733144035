import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../harness/client.ts'
import { engineUnderTest } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { type SampleFarm, sampleFarm } from '../records/sample-farm.ts'
import { BothWays } from './both-ways.ts'
import { asNew, type ExportedRows, everyBundle, exportedRows, type Row, sheetOf } from './exported-rows.ts'

let farm: FarmUnderTest
let client: Client
let sample: SampleFarm

beforeAll(async () => {
  farm = await openFarm()
  farm.setClock(1_700_000_000)
  client = await farm.login()
  sample = await sampleFarm(client, farm.base)
})

const exported = new Map<string, ExportedRows>()

async function rowsOf(of: (typeof everyBundle)[number]): Promise<ExportedRows> {
  const found = exported.get(of.bundle) ?? (await exportedRows(client, sample, of))
  exported.set(of.bundle, found)
  return found
}

const sending =
  (writes: BothWays) =>
  (path: string, rows: readonly Row[], headers: Record<string, string> = {}): Promise<Answer> =>
    writes.write('POST', path, { headers: { 'content-type': 'text/csv', ...headers }, body: sheetOf(rows) })

describe('a dry run of a sheet says what the sheet will say, and leaves nothing behind', () => {
  it.each(shareOfThisEngine(everyBundle.map((of) => [of.bundle, of] as const)))(
    'answers a dry run of a sheet of %s as the import does',
    async (bundle, of) => {
      const all = await rowsOf(of)
      const { resource, rows } = all
      const [first, second] = rows
      const send = sending(new BothWays(farm, client))
      const sheet = [
        first,
        { ...second, name: `Renamed ${bundle}` },
        asNew(all, first, { name: `New ${bundle}` }),
        asNew(all, first, { name: '' }),
      ]
      expect((await send(`/${resource}`, sheet)).status).toBe(422)
      const taken = await send(`/${resource}?on_fault=skip`, sheet)
      const ofNewLogs = resource === 'log' ? { done: 1, planned: 0 } : {}
      expect(taken.body.counts, taken.text).toEqual({ created: 1, changed: 1, unchanged: 1, fault: 1, ...ofNewLogs })
    },
  )
})

/** What somebody makes of a row; the numbers pick from what there is. */
interface Edit {
  readonly does: (typeof edits)[number]
  readonly picks: readonly number[]
}

const edits = [
  ...(['leave', 'change', 'change', 'empty', 'new', 'new under a UUID', 'under its UUID'] as const),
  ...(['nonsense', 'unknown', 'stale', 'new word', 'twice', 'without number'] as const),
]

const nonsense = ['☃ {', '[]', '-', '2024-02-30', '#999999', 'POINT (', "'=1+1", '1.2.3', 'x'.repeat(300), '{"id": 1}']

const sheets = fc.record({
  of: fc.constantFrom(...everyBundle),
  edits: fc.array(
    fc.record({ does: fc.constantFrom(...edits), picks: fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  query: fc.record(
    {
      match: fc.constantFrom('uuid', 'id', 'name', 'tag'),
      empty: fc.constantFrom('clear', 'leave'),
      overwrite: fc.constantFrom('1', '0'),
      on_fault: fc.constantFrom('skip', 'skip', 'refuse'),
      dates: fc.constantFrom('dmy', 'mdy'),
      decimal: fc.constantFrom('.', ','),
    },
    { requiredKeys: [] },
  ),
  key: fc.boolean(),
  again: fc.boolean(),
})

function edited(all: ExportedRows, { does, picks }: Edit): readonly Row[] {
  const pick = <T>(from: readonly T[], nth: number): T => from[(picks[nth] ?? 0) % from.length] as T
  const row = pick(all.rows, 0)
  const field = pick(all.fillable, 1)
  const term = pick(
    all.fillable.filter((name) => /category|crop$|season|animal_type|area$|material|parent|flags/.test(name)),
    1,
  )
  switch (does) {
    case 'leave':
      return [row]
    case 'twice':
      return [row, row]
    case 'change':
      return [{ ...row, [field]: pick([...all.rows.map((one) => one[field] ?? ''), '7', 'yes', '2024-05-01'], 2) }]
    case 'empty':
      return [{ ...row, [field]: '', [pick(all.fillable, 2)]: '' }]
    case 'new':
      return [asNew(all, row, { name: `New ${pick(picks, 2)}` })]
    case 'new under a UUID':
      return [asNew(all, row, { name: `New ${pick(picks, 2)}`, uuid: randomUUID() })]
    case 'under its UUID':
      return [{ ...asNew(all, row, { uuid: row.uuid ?? '' }), [field]: row[field] ?? '' }]
    case 'nonsense':
      return [{ ...row, [field]: pick(nonsense, 2) }]
    case 'unknown':
      return [{ ...row, uuid: '', [pick(['id', 'tid'], 2)]: '999999' }]
    case 'stale':
      return [{ ...row, name: `Stale ${pick(picks, 2)}`, version: pick(['1.unknown', '"1.unknown"', ''], 3) }]
    case 'new word':
      return [{ ...row, [term ?? 'name']: `Word ${pick(picks, 2)}; Word ${pick(picks, 3)}` }]
    default:
      return [{ ...row, id: '', tid: '', version: '' }]
  }
}

const lengths = rounds({
  short: { sqlite: { numRuns: 12, seed: 22 }, postgres: { numRuns: 6, seed: 22 } },
  long: { sqlite: { numRuns: 400 }, postgres: { numRuns: 100 } },
})[engineUnderTest()]

it('a dry run of any sheet, with any options, says what the sheet will say, and leaves everything as it was', async () => {
  let [taken, refused] = [0, 0]
  const oneSheet = fc.asyncProperty(sheets, async ({ of, edits: all, query, key, again }) => {
    const rows = await rowsOf(of)
    const send = sending(new BothWays(farm, client))
    const headers: Record<string, string> = key ? { 'idempotency-key': randomUUID() } : {}
    const path = `/${rows.resource}?${new URLSearchParams(query)}`
    const sheet = all.flatMap((edit) => edited(rows, edit))
    for (let nth = 0; nth < (again ? 2 : 1); nth += 1) {
      const { status } = await send(path, sheet, headers)
      if (status === 200) taken += 1
      else refused += 1
    }
  })
  await fc.assert(oneSheet, { ...lengths, interruptAfterTimeLimit: 240_000, endOnFailure: true })
  expect(taken).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
})

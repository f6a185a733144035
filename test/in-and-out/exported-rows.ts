import { expect } from 'vitest'
import { recordTypeNames } from '../../src/farm/fields-of.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Client, Json } from '../harness/client.ts'
import { recordsOfCsv } from '../harness/csv.ts'
import { filledFields } from '../records/filled-fields.ts'
import { interfaceFarm, interfaceFields, resourceOf } from '../records/interface-types.ts'
import type { SampleFarm } from '../records/sample-farm.ts'
import { sendSheet } from './sheet-client.ts'

export type Row = Readonly<Record<string, string>>

/** Two records of a type with every field filled, as rows. */
export interface ExportedRows {
  readonly resource: string
  readonly rows: readonly [Row, Row]
  /** The columns that a sheet can say something in. */
  readonly fillable: readonly string[]
}

const stock = interfaceFarm(stockFarm)

/** Every type of record and vocabulary. */
export const everyBundle = recordTypeNames.flatMap((type) =>
  Object.keys(stock.records[type].bundles).map((bundle) => ({ type, bundle })),
)

export async function exportedRows(
  client: Client,
  sample: SampleFarm,
  { type, bundle }: (typeof everyBundle)[number],
): Promise<ExportedRows> {
  const resource = resourceOf[type]
  const { bundleName } = stock.records[type]
  const { [bundleName]: _, ...own } = interfaceFields(stock.records[type], bundle)
  const { sent } = filledFields(own, { farm: stock, sample, bundle })
  const made: string[] = []
  for (const name of [`Filled ${bundle}`, `Other ${bundle}`])
    made.push(await client.create(resource, { ...sent, [bundleName]: sample.vids[bundle] ?? bundle, name }))
  const { text } = await client.get(`/${resource}.csv?bundle=${bundle}&${made.map((id) => `id[]=${id}`).join('&')}`)
  const [first, second] = recordsOfCsv(text)
  if (first === undefined || second === undefined) throw new Error(text)
  const dry = await sendSheet(client, `/${resource}?dry_run=1`, sheetOf([first, second]))
  expect(dry.body?.counts, dry.text).toMatchObject({ unchanged: 2 })
  const fillable = dry.body.found.columns.flatMap(({ column, taken }: Json) => (taken === false ? [] : [column]))
  return { resource, rows: [first, second], fillable }
}

/** The sheet of these rows, with the columns of the first. */
export function sheetOf(rows: readonly Row[]): string {
  const head = Object.keys(rows[0] ?? {})
  const line = (cells: readonly string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
  return [head, ...rows.map((row) => head.map((name) => row[name] ?? ''))].map(line).join('')
}

/** The row of a record to come, which says what this one says. */
export function asNew({ fillable }: ExportedRows, row: Row, more: Row): Row {
  const own = (name: string) => ['id', 'tid', 'uuid', 'version', 'tag'].includes(name) || !fillable.includes(name)
  return { ...Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, own(name) ? '' : cell])), ...more }
}

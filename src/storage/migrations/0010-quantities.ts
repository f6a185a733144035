import { pathNumber } from '../records/path.ts'
import { columnsOfQuantity, materialUuid } from '../records/quantity-rows.ts'
import type { Report } from '../report.ts'
import type { Ddl, Migration } from './ddl.ts'

/** Quantities are records: each has a row, and a number of its own. */
export const quantities: Migration = {
  version: 10,
  name: 'quantities',
  async up(ddl, report) {
    await ddl.table('quantity', {
      id: 'id',
      uuid: 'key',
      bundle: 'key',
      name: 'text',
      name_key: 'key',
      uid: 'integer',
      created: 'integer',
      changed: 'integer',
      revision: 'integer',
      fields: 'text',
      log_id: 'integer?',
      field: 'key?',
      position: 'integer?',
      measure: 'key',
      label_key: 'key',
      value_key: 'key',
      adjustment: 'key',
      unit_id: 'integer?',
    })
    await ddl.index('quantity', 'bundle', 'id')
    await ddl.partialIndex('quantity', ['log_id'])
    await ddl.partialIndex('quantity', ['unit_id'])
    for (const path of [toAsset, toMaterial]) {
      const { source_type, field, target_type } = path
      await ddl.run(
        `INSERT INTO path VALUES (${pathNumber(path)}, '${source_type}', '${field}', '${target_type}') ON CONFLICT DO NOTHING`,
      )
    }
    // Up to here a quantity was noted under the number of its log; below zero, it is not taken for one of its own.
    await ddl.run(`UPDATE identity SET number = -number WHERE type = 'quantity'`)
    const last = await numberThoseOfLogs(ddl, report)
    await continueFrom(ddl, await numberThoseThatAreGone(ddl, last))
  },
}

const rowsAtOnce = 2_000

interface LogRow {
  readonly id: number
  readonly uuid: string
  readonly uid: number
  readonly created: number
  readonly changed: number
  readonly fields: string
}

/** In the order of the logs. Returns the last number. */
async function numberThoseOfLogs(ddl: Ddl, report: Report): Promise<number> {
  let number = 0
  for (let from = 0; ; ) {
    const logs = await ddl.ask<LogRow>(
      `SELECT id, uuid, uid, created, changed, fields FROM log WHERE id > ${from} ORDER BY id LIMIT ${rowsAtOnce}`,
    )
    const before = number
    const found = logs.flatMap((log) => quantitiesIn(log).map((quantity) => ({ ...quantity, log, id: ++number })))
    await enter(ddl, found)
    await ddl.run(
      `INSERT INTO identity (uuid, type, number, uid) SELECT uuid, 'quantity', id, uid FROM quantity
       WHERE id > ${before} AND id <= ${number} ON CONFLICT (uuid) DO UPDATE SET number = excluded.number WHERE identity.type = 'quantity'`,
    )
    const last = logs.at(-1)
    if (last === undefined || logs.length < rowsAtOnce) return number
    from = last.id
    report('quantities', from, 0)
  }
}

interface QuantityInOldLog {
  readonly uuid: string
  readonly field: 'quantity' | 'inventory' | 'material'
  readonly position: number
  readonly bundle: 'standard' | 'material'
  readonly values: Readonly<Record<string, string | number>>
  readonly refersTo?: { readonly path: number; readonly id: number }
}

const toAsset = { source_type: 'quantity', field: 'inventory_asset', target_type: 'asset' }
const toMaterial = { source_type: 'quantity', field: 'material_type', target_type: 'term' }

/** Unreadable rows are skipped: the doctor names them. */
function quantitiesIn({ uuid: log, fields }: LogRow): readonly QuantityInOldLog[] {
  const { quantity, inventory, material } = treeIn(fields)
  return [
    ...partsIn(quantity).map(({ uuid, position, part }): QuantityInOldLog => {
      const values = { measure: part.measure, label: part.label, value: part.value, unit: part.unit }
      return { uuid, field: 'quantity', position, bundle: 'standard', values: values as QuantityInOldLog['values'] }
    }),
    ...partsIn(inventory).map(({ uuid, position, part }): QuantityInOldLog => {
      const value = String(part.value ?? '')
      const adjustment = value.startsWith('-') ? 'decrement' : 'increment'
      const values = { measure: 'count', value: value.replace(/^[+-]/, ''), adjustment }
      const refersTo = { path: pathNumber(toAsset), id: Number(part.asset) }
      return { uuid, field: 'inventory', position, bundle: 'standard', values, refersTo }
    }),
    ...listIn(material).flatMap((term, position): readonly QuantityInOldLog[] => {
      if (typeof term !== 'number') return []
      const uuid = materialUuid({ log, term, nth: 0 })
      return [
        {
          uuid,
          field: 'material',
          position,
          bundle: 'material',
          values: {},
          refersTo: { path: pathNumber(toMaterial), id: term },
        },
      ]
    }),
  ]
}

type Tree = Readonly<Record<string, unknown>>

function treeIn(json: string): Tree {
  try {
    const tree: unknown = JSON.parse(json)
    return typeof tree === 'object' && tree !== null ? (tree as Tree) : {}
  } catch {
    return {}
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const partsIn = (value: unknown) =>
  listIn(value).flatMap((part, position) => {
    const { uuid } = (part ?? {}) as Tree
    return typeof uuid === 'string' && /^[\da-f-]{36}$/.test(uuid) ? [{ uuid, position, part: part as Tree }] : []
  })

type NumberedQuantity = QuantityInOldLog & { readonly id: number; readonly log: LogRow }

async function enter(ddl: Ddl, found: readonly NumberedQuantity[]): Promise<void> {
  if (found.length === 0) return
  const rows = found.map(({ id, uuid, bundle, log, field, position, values }) => {
    const { measure, label_key, value_key, adjustment, unit_id } = columnsOfQuantity(values)
    const words = [measure, label_key, value_key, adjustment].map(literal).join()
    const own = `${id}, '${uuid}', '${bundle}', '', '', ${log.uid}, ${log.created}, ${log.changed}, 0, '{}'`
    return `(${own}, ${log.id}, '${field}', ${position}, ${words}, ${unit_id ?? 'NULL'})`
  })
  await ddl.run(
    `INSERT INTO quantity (id, uuid, bundle, name, name_key, uid, created, changed, revision, fields, log_id, field, position,
       measure, label_key, value_key, adjustment, unit_id) VALUES ${rows.join()}`,
  )
  const references = found.flatMap(({ id, refersTo }) =>
    refersTo === undefined ? [] : [`(${id}, ${refersTo.path}, ${refersTo.id})`],
  )
  if (references.length === 0) return
  await ddl.run(`INSERT INTO reference (source_id, path, target_id) VALUES ${references.join()}`)
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Quantities that a log once had may come back with a revert. Returns the last number. */
async function numberThoseThatAreGone(ddl: Ddl, last: number): Promise<number> {
  let number = last
  for (;;) {
    const gone = await ddl.ask<{ readonly uuid: string }>(
      `SELECT uuid FROM identity WHERE type = 'quantity' AND number < 0 ORDER BY uuid LIMIT ${rowsAtOnce}`,
    )
    for (const { uuid } of gone) {
      const at = `coalesce((SELECT changed FROM log WHERE log.id = -identity.number),
        (SELECT max(at) FROM journal WHERE record_type = 'log' AND record_id = -identity.number), 0)`
      await ddl.run(`UPDATE identity SET removed = ${at}, ended = ${at}, number = ${++number} WHERE uuid = '${uuid}'`)
    }
    if (gone.length < rowsAtOnce) return number
  }
}

async function continueFrom(ddl: Ddl, number: number): Promise<void> {
  if (number === 0) return
  if (ddl.engine === 'postgres') {
    await ddl.run(`SELECT setval(pg_get_serial_sequence('quantity', 'id'), ${number})`)
    return
  }
  await ddl.run(`DELETE FROM sqlite_sequence WHERE name = 'quantity'`)
  await ddl.run(`INSERT INTO sqlite_sequence (name, seq) VALUES ('quantity', ${number})`)
}

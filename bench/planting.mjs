import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { builtFile } from './build.mjs'
import { uuidOf } from './uuids.mjs'

/** @typedef {import('./farm.mjs').Planned} Planned */

export const accountName = 'bench'
export const accountPassword = 'a password for measuring'
export const farmTime = 1_750_000_000

const forever = Number.MAX_SAFE_INTEGER

/** An empty farm with its tables, first terms and one account, made by the server's own code. */
export async function emptyFarm(/** @type {string} */ dist, /** @type {string} */ data) {
  /** @type {typeof import('../src/storage/open.ts')} */
  const { openDatabase } = await builtFile(dist, 'storage/open.js')
  /** @type {typeof import('../src/access/accounts.ts')} */
  const { addAccount } = await builtFile(dist, 'access/accounts.js')
  /** @type {typeof import('../src/records/records.ts')} */
  const { openRecords } = await builtFile(dist, 'records/records.js')
  /** @type {typeof import('../src/farm/stock-farm.ts')} */
  const { stockFarm } = await builtFile(dist, 'farm/stock-farm.js')
  /** @type {typeof import('../src/config.ts')} */
  const { defaultSettings } = await builtFile(dist, 'config.js')
  const clock = () => farmTime
  const settings = { ...defaultSettings, data, database: null }
  const database = await openDatabase(settings, clock)
  const ground = { farm: stockFarm, database, clock, settings }
  const installation = await openRecords(ground)
  const { uid } = await addAccount(ground, { name: accountName, password: accountPassword, role: 'manager' })
  return { database, installation, uid }
}

/**
 * Writes the rows that creating these records one by one would write (checked by same-rows.mjs), in order of growth,
 * and builds the indexes at the end.
 * @param {string} dist
 * @param {string} data
 * @param {import('./farm.mjs').Plan} plan
 */
export async function plant(dist, data, plan) {
  const { database, uid } = await emptyFarm(dist, data)
  await database.close()
  /** @type {typeof import('../src/records/record-index.ts')} */
  const { indexOf } = await builtFile(dist, 'records/record-index.js')
  /** @type {typeof import('../src/storage/records/stored.ts')} */
  const { rowOf } = await builtFile(dist, 'storage/records/stored.js')
  /** @type {typeof import('../src/storage/records/index-rows.ts')} */
  const { facetRows, referenceRows } = await builtFile(dist, 'storage/records/index-rows.js')
  /** @type {typeof import('../src/history/implications.ts')} */
  const { implicationsOf } = await builtFile(dist, 'history/implications.js')
  /** @type {typeof import('../src/storage/history/stay-rows.ts')} */
  const { rowsOfStay } = await builtFile(dist, 'storage/history/stay-rows.js')
  /** @type {typeof import('../src/storage/history/inventory-rows.ts')} */
  const { rowOfChange } = await builtFile(dist, 'storage/history/inventory-rows.js')
  /** @type {typeof import('../src/records/quantities/quantities-of-log.ts')} */
  const { indexOfTaken, quantitiesIn, takenRow } = await builtFile(dist, 'records/quantities/quantities-of-log.js')
  /** @type {typeof import('../src/farm/stock-farm.ts')} */
  const { stockFarm } = await builtFile(dist, 'farm/stock-farm.js')

  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  for (const pragma of ['synchronous=OFF', 'cache_size=-500000', 'temp_store=MEMORY']) file.exec(`PRAGMA ${pragma}`)
  const indexes = file.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null").all()
  for (const { name } of indexes) file.exec(`drop index "${name}"`)
  file.exec('begin')
  const insert = inserting(file)
  const last = { part: 0, set: 0, quantity: 0 }
  /** The open stay of each asset. @type {Map<string, { log: number, rows: object[] }>} */
  const open = new Map()

  /** @type {(id: number, planned: Planned) => void} */
  const put = (id, { type, bundle, values }) => {
    for (const value of Object.values(values)) {
      for (const part of Array.isArray(value) ? value : [value])
        if (part?.uuid === '') part.uuid = uuidOf('part', ++last.part)
    }
    const uuid = uuidOf(type, id)
    const unstored = { type, uuid, bundle, uid, created: farmTime, changed: farmTime, revision: 1, values }
    const stored = { ...unstored, id }
    insert(type, { id, ...rowOf(unstored) })
    const index = indexOf(stockFarm, stored)
    for (const row of referenceRows(id, index)) insert('reference', row)
    for (const row of facetRows(id, index)) insert('facet', row)
    if (type === 'log') {
      const { stays, inventoryChanges } = implicationsOf(stored)
      for (const change of inventoryChanges) insert('inventory_change', rowOfChange(change))
      for (const stay of stays) {
        const { timestamp } = stay
        for (const row of rowsOfStay(stay)) {
          const timeline = `${row.kind} ${row.thing_type} ${row.thing_id}`
          const before = open.get(timeline)
          if (before !== undefined && before.log === row.log_id) {
            before.rows.push(row)
            continue
          }
          for (const ended of before?.rows ?? []) insert('stay', { ...ended, until: timestamp })
          open.set(timeline, { log: row.log_id, rows: [row] })
        }
      }
    }
    const after = JSON.stringify(stored)
    const set = uuidOf('set', ++last.set)
    const entry = { at: farmTime, uid, record_type: type, record_id: id, verb: 'create', after, revision: 1 }
    insert('journal', { ...entry, set_id: set, mark: id })
    insert('change_set', { id: set, at: farmTime, uid, client: null, request: null })
    insert('identity', { uuid, type, number: id, uid })
    for (const quantity of type === 'log' ? quantitiesIn(values) : []) {
      const own = { id: ++last.quantity, uid, created: farmTime, changed: farmTime, revision: 0 }
      const row = takenRow({ ...quantity, uuid: quantity.uuid ?? '' }, id, own)
      insert('quantity', row)
      for (const reference of referenceRows(row.id, indexOfTaken(stockFarm, row, quantity.values)))
        insert('reference', reference)
      insert('identity', { uuid: row.uuid, type: 'quantity', number: row.id, uid })
    }
  }

  let term = Number(file.prepare('select max(id) as last from term').get().last)
  for (const planned of plan.terms()) put(++term, planned)
  let asset = 0
  for (const planned of plan.assets()) put(++asset, planned)
  let log = 0
  for (const planned of plan.logs()) {
    put(++log, planned)
    if (log % 100_000 === 0) file.exec('commit; begin')
  }
  for (const { rows } of open.values()) for (const row of rows) insert('stay', { ...row, until: forever })
  for (const { sql } of indexes) file.exec(sql)
  file.exec('commit')
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
}

/** @param {import('@photostructure/sqlite').DatabaseSyncInstance} file */
function inserting(file) {
  /** @type {Map<string, { names: string[], statement: import('@photostructure/sqlite').StatementSyncInstance }>} */
  const prepared = new Map()
  return (/** @type {string} */ table, /** @type {Record<string, any>} */ row) => {
    let known = prepared.get(table)
    if (known === undefined) {
      const names = Object.keys(row)
      const places = names.map(() => '?').join(', ')
      const statement = file.prepare(`insert into "${table}" (${names.map((name) => `"${name}"`)}) values (${places})`)
      known = { names, statement }
      prepared.set(table, known)
    }
    known.statement.run(...known.names.map((name) => bindable(row[name])))
  }
}

/** The driver binds integers beyond 32 bits as floating point unless they are bigints. */
const bindable = (/** @type {any} */ value) =>
  typeof value === 'number' && (value | 0) !== value ? BigInt(value) : value

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { builtFile } from './build.mjs'
import { bodyOf, planFarm } from './farm.mjs'
import { emptyFarm, plant } from './planting.mjs'

const logCount = 2_000
/** Accounts, creation times and the farm's identity are not compared. */
const otherTables = /^(sqlite_.*|account|access_event|setting|migration|edition)$/

/**
 * Plants a small farm and creates the same one record by record: every row must be the same, except random values.
 * @param {string} dist
 * @param {unknown} _wishes
 * @param {string} place
 */
export async function checkPlanting(dist, _wishes, place) {
  const [planted, created] = [join(place, 'check-planted'), join(place, 'check-created')]
  const plan = planFarm(logCount)
  await plant(dist, planted, plan)
  await createAll(dist, created, plan)
  const [own, others] = [rowsIn(planted), rowsIn(created)]
  const missed = [...others].flatMap(([table, rows]) => {
    const there = own.get(table) ?? []
    const at = rows.findIndex((row, n) => row !== there[n])
    if (at < 0 && rows.length === there.length) return []
    return [`${table}: planted ${there.length} rows, the verbs write ${rows.length}\n  ${there[at]}\n  ${rows[at]}`]
  })
  const count = [...others.values()].reduce((sum, rows) => sum + rows.length, 0)
  if (missed.length === 0) console.log(`Planted as recorded: ${count} rows in ${others.size} tables are the same`)
  return { missed, figures: {} }
}

/**
 * @param {string} dist
 * @param {string} data
 * @param {import('./farm.mjs').Plan} plan
 */
async function createAll(dist, data, plan) {
  const { database, installation, uid } = await emptyFarm(dist, data)
  /** @type {typeof import('../src/records/writing/create.ts')} */
  const { createIn } = await builtFile(dist, 'records/writing/create.js')
  /** @type {typeof import('../src/wire-1x/record-draft.ts')} */
  const { newRecordIn } = await builtFile(dist, 'wire-1x/record-draft.js')
  /** @type {typeof import('../src/access/caller.ts')} */
  const { rightsOf } = await builtFile(dist, 'access/caller.js')
  /** @type {typeof import('../src/storage/change-set.ts')} */
  const { inChangeSet } = await builtFile(dist, 'storage/change-set.js')
  const rights = rightsOf({ role: 'manager', isService: false }, null)
  const caller = /** @type {const} */ ({ uid, name: 'bench', role: 'manager', rights, carrier: 'bearer', client: null })
  for (const planned of [...plan.terms(), ...plan.assets(), ...plan.logs()]) {
    const given = newRecordIn(installation, planned.type, bodyOf(planned))
    const set = { id: randomUUID(), at: installation.clock(), uid, client: null, request: null }
    await database.write((tx) =>
      inChangeSet(tx, set, (set) => createIn({ installation, tx, caller, set }, given).then(() => {})),
    )
  }
  await database.close()
}

const mark = /"mark":\d+/
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Every table's rows, sorted, without UUIDs. @returns {Map<string, string[]>} */
function rowsIn(/** @type {string} */ data) {
  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  const tables = file.prepare("select name from sqlite_master where type = 'table'").all()
  const rows = tables.flatMap(({ name }) => {
    if (otherTables.test(name)) return []
    const all = file.prepare(`select * from "${name}"`).all()
    return [[name, all.map((row) => JSON.stringify(inOrder(row)).replace(uuid, '*').replace(mark, '')).sort()]]
  })
  file.close()
  return new Map(/** @type {[string, string[]][]} */ (rows))
}

/** Sorts the keys of an object, also of JSON in a text. @type {(value: any) => any} */
function inOrder(value) {
  if (typeof value === 'string' && value.startsWith('{')) return inOrder(JSON.parse(value))
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  )
}

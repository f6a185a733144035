import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { builtFile } from '../../bench/build.mjs'
import { furrow, startServing } from '../ground/furrow.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

/**
 * Kills a server while it brings a farm of an older release up to date; the next start must finish the work.
 * @param {Campaign} campaign
 * @param {string} grown the folder of a farm of this release, not in use
 * @param {number} kills
 */
export async function killDuringMigration(campaign, grown, kills) {
  const { dist, place, dice, findings, tell } = campaign
  let killed = 0
  for (const from of [1, 2, 3]) {
    const old = join(place, `version-${from}`)
    await ageTo(dist, { grown, old, version: from })
    const rows = rowsOf(join(old, 'farm.sqlite'))
    const data = join(place, `upgraded-from-${from}`)
    await mkdir(data, { mode: 0o700 })
    await copyFile(join(old, 'farm.sqlite'), join(data, 'farm.sqlite'))
    for (let n = 0; n < kills; n++) {
      const { child, listens, ended } = startServing(dist, ['--data', data])
      const listened = listens.then(() => true).catch(() => false)
      await Promise.race([listened, sleep(200 + dice.roll() * 600)])
      child.kill('SIGKILL')
      await ended
      killed += 1
    }
    const { listens, child, ended, complaints } = startServing(dist, ['--data', data])
    const started = await listens.then(() => true).catch(() => false)
    findings.check(
      started,
      () => `after kills during the migration from version ${from} it does not start: ${complaints()}`,
    )
    child.kill('SIGTERM')
    await ended
    const copies = (await readdir(data)).filter((name) => name.startsWith(`farm-version-${from}-`))
    const halves = copies.filter((name) => name.endsWith('.partial'))
    findings.check(copies.length > halves.length, `no whole copy was kept before the migration from version ${from}`)
    // What the doctor would say of a copy that was cut short: delete it.
    for (const half of halves) await rm(join(data, half))
    const { code, stdout, stderr } = await furrow(dist, ['doctor', '--data', data])
    findings.check(code === 0, `after a migration from version ${from} the doctor says ${stdout}${stderr}`)
    for (const [table, before] of rows) {
      const after = rowsOf(join(data, 'farm.sqlite')).get(table) ?? 0
      findings.check(after >= before, `the migration from version ${from} left ${after} of ${before} rows of ${table}`)
    }
    await rm(old, { recursive: true })
  }
  tell(`${killed} kills during migrations`)
  return killed
}

/** Makes a farm as an older release would have left it: its tables, and what of today's rows fits into them. @param {string} dist @param {{ grown: string, old: string, version: number }} wanted */
async function ageTo(dist, { grown, old, version }) {
  /** @type {typeof import('../../src/storage/sqlite/open-sqlite.ts')} */
  const { openSqlite } = await builtFile(dist, 'storage/sqlite/open-sqlite.js')
  /** @type {typeof import('../../src/storage/migrate.ts')} */
  const { migrate } = await builtFile(dist, 'storage/migrate.js')
  await mkdir(old, { mode: 0o700 })
  const database = openSqlite(join(old, 'farm.sqlite'))
  await migrate(database, () => 1_700_000_000, { upTo: version })
  await database.close()
  const file = new DatabaseSync(join(old, 'farm.sqlite'))
  file.exec(`attach '${join(grown, 'farm.sqlite').replaceAll("'", "''")}' as grown`)
  for (const table of tablesOf(file)) {
    if (table === 'migration') continue
    const words = inWords[/** @type {keyof typeof inWords} */ (table)]
    if (words !== undefined) {
      file.exec(`insert into main."${table}" ${words}`)
      continue
    }
    const columns = columnsOf(file, 'grown', table).filter((name) => columnsOf(file, 'main', table).includes(name))
    const names = columns.map((name) => `"${name}"`).join(', ')
    file.exec(`insert or ignore into main."${table}" (${names}) select ${names} from grown."${table}"`)
  }
  file.exec('detach grown')
  file.exec('pragma wal_checkpoint(truncate)')
  file.close()
}

/** The index as it was before version 4, which numbered the paths. */
const inWords = {
  reference: `select path.source_type, source_id, path.field, path.target_type, target_id
    from grown.reference as now join grown.path on path.id = now.path`,
  facet: `select path.source_type, record_id, path.field, key, whole_key
    from grown.facet as now join grown.path on path.id = now.path`,
}

/** @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} SqliteFile */

/** @param {SqliteFile} file @returns {string[]} */
const tablesOf = (file) =>
  file
    .prepare("select name from main.sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'")
    .all()
    .map(({ name }) => name)

/** @param {SqliteFile} file @param {string} schema @param {string} table @returns {string[]} */
const columnsOf = (file, schema, table) =>
  file
    .prepare('select name from pragma_table_info(?, ?)')
    .all(table, schema)
    .map(({ name }) => name)

/** @param {string} path @returns {Map<string, number>} */
function rowsOf(path) {
  const file = new DatabaseSync(path)
  const counted = tablesOf(file).map(
    (table) => /** @type {[string, number]} */ ([table, file.prepare(`select count(*) as n from "${table}"`).get().n]),
  )
  file.close()
  return new Map(counted)
}

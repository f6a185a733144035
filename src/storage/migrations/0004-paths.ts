import { type FieldPath, pathNumber } from '../records/path.ts'
import type { Ddl, Migration } from './ddl.ts'

/** The index of records names its fields by number. Rows that say the same twice become one. */
export const paths: Migration = {
  version: 4,
  name: 'paths',
  async up(ddl) {
    await ddl.table(
      'path',
      { id: 'integer', source_type: 'key', field: 'key', target_type: 'key' },
      { primary: ['id'], clustered: true },
    )
    // Renamed first: from then on nobody else can write to them.
    for (const table of ['reference', 'facet']) await ddl.run(`ALTER TABLE ${table} RENAME TO ${table}_in_words`)
    await noteWords(ddl)
    await numberReferences(ddl)
    await numberFacets(ddl)
    // The logs themselves show when a planned one comes due.
    await ddl.run('DROP INDEX IF EXISTS stay_by_timestamp')
    await ddl.run('DROP INDEX IF EXISTS inventory_change_by_timestamp')
  },
}

async function noteWords(ddl: Ddl): Promise<void> {
  const words = await ddl.ask<FieldPath>(
    `SELECT DISTINCT source_type, field, target_type FROM reference_in_words
     UNION SELECT DISTINCT record_type, field, '' FROM facet_in_words`,
  )
  for (const path of words) {
    const values = [path.source_type, path.field, path.target_type].map(literal)
    await ddl.run(`INSERT INTO path VALUES (${pathNumber(path)}, ${values.join(', ')})`)
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

async function numberReferences(ddl: Ddl): Promise<void> {
  await ddl.table(
    'reference',
    { source_id: 'integer', path: 'integer', target_id: 'integer' },
    { primary: ['source_id', 'path', 'target_id'], clustered: true },
  )
  await ddl.run(
    `INSERT INTO reference SELECT old.source_id, path.id, old.target_id FROM reference_in_words AS old
     JOIN path ON path.source_type = old.source_type AND path.field = old.field AND path.target_type = old.target_type
     ORDER BY 1, 2, 3`,
  )
  await ddl.run('DROP TABLE reference_in_words')
  await ddl.index('reference', 'path', 'target_id', 'source_id')
}

async function numberFacets(ddl: Ddl): Promise<void> {
  await ddl.table(
    'facet',
    { record_id: 'integer', path: 'integer', key: 'key', nth: 'integer', whole_key: 'key?' },
    { primary: ['record_id', 'path', 'key', 'nth'], clustered: true },
  )
  await ddl.run(
    `INSERT INTO facet SELECT record_id, path, key, CASE WHEN whole_key IS NULL THEN 0
       ELSE row_number() OVER (PARTITION BY record_id, path, key, whole_key IS NULL ORDER BY whole_key) END, whole_key
     FROM (SELECT DISTINCT old.record_id, path.id AS path, old.key, old.whole_key FROM facet_in_words AS old
       JOIN path ON path.source_type = old.record_type AND path.field = old.field AND path.target_type = '') AS told
     ORDER BY 1, 2, 3, 4`,
  )
  await ddl.run('DROP TABLE facet_in_words')
  await ddl.index('facet', 'path', 'key', 'record_id')
}

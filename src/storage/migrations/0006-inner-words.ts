import { type FieldPath, pathNumber } from '../records/path.ts'
import type { Report } from '../report.ts'
import type { PathRow } from '../sql/tables.ts'
import type { Ddl, Migration } from './ddl.ts'

/** Record types by their old and new words, which belong to no interface. */
const words: Readonly<Record<string, string>> = {
  farm_asset: 'asset',
  taxonomy_term: 'term',
  taxonomy_vocabulary: 'vocabulary',
}

/** Rows speak of assets and terms, and of the status of a log, whatever an interface calls them; also what the journal tells. */
export const innerWords: Migration = {
  version: 6,
  name: 'inner-words',
  async up(ddl, report) {
    await renumberPaths(ddl, report)
    await rewriteJournal(ddl, report)
  },
}

const inner = (word: string): string => words[word] ?? word

async function renumberPaths(ddl: Ddl, report: Report): Promise<void> {
  const before = await ddl.ask<PathRow>('SELECT id, source_type, field, target_type FROM path')
  const after = before.map(({ id, source_type, field, target_type }) => {
    const path: FieldPath = { source_type: inner(source_type), field, target_type: inner(target_type) }
    return { ...path, before: id, id: pathNumber(path) }
  })
  report('index of references', 0, 0)
  await ddl.table('renumbered', { before: 'integer', path: 'integer' }, { primary: ['before'] })
  for (const path of after) await ddl.run(`INSERT INTO renumbered VALUES (${path.before}, ${path.id})`)
  await renumberReferences(ddl)
  report('index of values', 0, 0)
  for (const path of after) {
    if (path.id !== path.before && path.target_type === '')
      await ddl.run(`UPDATE facet SET path = ${path.id} WHERE path = ${path.before}`)
  }
  await ddl.run('DROP TABLE renumbered')
  await ddl.run('DELETE FROM path')
  for (const { id, source_type, field, target_type } of after) {
    await ddl.run(
      `INSERT INTO path VALUES (${id}, '${source_type}', '${field.replaceAll("'", "''")}', '${target_type}')`,
    )
  }
}

/** Nearly every reference has another number: written anew in their order, they take a fraction of the time. */
async function renumberReferences(ddl: Ddl): Promise<void> {
  await ddl.run('ALTER TABLE reference RENAME TO reference_before')
  await ddl.table(
    'reference',
    { source_id: 'integer', path: 'integer', target_id: 'integer' },
    { primary: ['source_id', 'path', 'target_id'], clustered: true },
  )
  await ddl.run(
    `INSERT INTO reference SELECT old.source_id, coalesce(renumbered.path, old.path), old.target_id
     FROM reference_before AS old LEFT JOIN renumbered ON renumbered.before = old.path ORDER BY 1, 2, 3`,
  )
  await ddl.run('DROP TABLE reference_before')
  await ddl.index('reference', 'path', 'target_id', 'source_id')
}

const entriesAtOnce = 20_000

async function rewriteJournal(ddl: Ddl, report: Report): Promise<void> {
  const [{ first, last } = { first: null, last: null }] = await ddl.ask<Bounds>(
    'SELECT min(sequence) AS first, max(sequence) AS last FROM journal',
  )
  if (first === null || last === null) return
  for (let from = Number(first); from <= Number(last); from += entriesAtOnce) {
    const slice = `sequence BETWEEN ${from} AND ${from + entriesAtOnce - 1}`
    for (const [former, word] of Object.entries(words)) await renameType(ddl, { former, word, slice })
    await tellStatus(ddl, slice)
    report('journal', Math.min(from + entriesAtOnce - 1, Number(last)), Number(last))
  }
}

interface Bounds {
  readonly first: number | null
  readonly last: number | null
}

interface WordChange {
  readonly former: string
  readonly word: string
  readonly slice: string
}

/** An entry begins with the type of its record; what is otherwise was written by nobody and is left to the doctor. */
async function renameType(ddl: Ddl, { former, word, slice }: WordChange): Promise<void> {
  const beginning = `{"type":"${former}"`
  await ddl.run(
    `UPDATE journal SET record_type = '${word}', after = CASE WHEN substr(after, 1, ${beginning.length}) = '${beginning}'
       THEN '{"type":"${word}"' || substr(after, ${beginning.length + 1}) ELSE after END
     WHERE record_type = '${former}' AND ${slice}`,
  )
}

/**
 * The first `"done":` of an entry is that of the log itself: its parts come later, and a text that has these letters has its
 * quotes behind backslashes.
 */
async function tellStatus(ddl: Ddl, slice: string): Promise<void> {
  const key = '"done":'
  const at = `${ddl.engine === 'sqlite' ? 'instr' : 'strpos'}(after, '${key}')`
  const valueFrom = (extra: number) => `${at} + ${key.length + extra}`
  await ddl.run(
    `UPDATE journal SET after = substr(after, 1, ${at} - 1) || CASE WHEN substr(after, ${valueFrom(0)}, 4) = 'true'
       THEN '"status":"done"' || substr(after, ${valueFrom(4)}) ELSE '"status":"pending"' || substr(after, ${valueFrom(5)}) END
     WHERE record_type = 'log' AND ${at} > 0 AND ${slice}
       AND (substr(after, ${valueFrom(0)}, 4) = 'true' OR substr(after, ${valueFrom(0)}, 5) = 'false')`,
  )
}

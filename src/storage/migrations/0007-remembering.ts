import type { Report } from '../report.ts'
import type { Ddl, Migration } from './ddl.ts'

/** Identities, change sets, revisions in the journal, and files that may be restored. */
export const remembering: Migration = {
  version: 7,
  name: 'remembering',
  async up(ddl, report) {
    await changeSets(ddl)
    await journal(ddl, report)
    await files(ddl)
    await identities(ddl, report)
  },
}

async function changeSets(ddl: Ddl): Promise<void> {
  await ddl.table(
    'change_set',
    {
      id: 'key',
      at: 'integer',
      uid: 'integer',
      client: 'key?',
      request: 'key?',
      undoes: 'key?',
      undone_by: 'key?',
      results: 'text?',
    },
    { primary: ['id'], clustered: true },
  )
  await ddl.index('change_set', 'at', 'id')
  await ddl.index('change_set', 'uid', 'at', 'id')
}

/** Entries from before have no set and the mark 0: two copies of a farm of the version before are alike up to there. */
async function journal(ddl: Ddl, report: Report): Promise<void> {
  await ddl.column('journal', 'set_id', 'key?')
  await ddl.column('journal', 'mark', 'integer', 0)
  await ddl.column('journal', 'revision', 'integer', 0)
  report('revisions', 0, 0)
  await ddl.run(
    `UPDATE journal SET revision = numbered.revision FROM
       (SELECT sequence, row_number() OVER (PARTITION BY record_type, record_id ORDER BY sequence) AS revision FROM journal) AS numbered
     WHERE numbered.sequence = journal.sequence`,
  )
  await ddl.index('journal', 'set_id')
  if (ddl.engine === 'sqlite') return
  // Writers overtake one another: which entries a reader has seen is told by their transactions, not by their numbers.
  await ddl.column('journal', 'xid', 'integer', 0)
  await ddl.run('ALTER TABLE journal ALTER COLUMN xid SET DEFAULT (pg_current_xact_id()::text::bigint)')
  await ddl.index('journal', 'xid', 'sequence')
}

/** The time since a file is unused, and the last record that named it. */
async function files(ddl: Ddl): Promise<void> {
  await ddl.column('file', 'unused_since', 'integer?')
  await ddl.column('file', 'last_type', 'key?')
  await ddl.column('file', 'last_id', 'integer?')
  await ddl.partialIndex('file', ['unused_since'])
  await ddl.partialIndex('file', ['unused_since'], ['last_type', 'last_id'])
}

async function identities(ddl: Ddl, report: Report): Promise<void> {
  await ddl.table(
    'identity',
    {
      uuid: 'key',
      type: 'key',
      number: 'integer',
      uid: 'integer',
      draft: 'key?',
      removed: 'integer?',
      ended: 'integer?',
    },
    { primary: ['uuid'], clustered: true },
  )
  await ddl.indexBefore('identity', 'removed', 'ended')
  await ddl.partialIndex('identity', ['removed'], ['type', 'number'])
  const into = 'INSERT INTO identity (uuid, type, number, uid)'
  for (const type of ['term', 'asset', 'log']) {
    report(`identities of ${type}`, 0, 0)
    await ddl.run(
      `${into} SELECT uuid, '${type}', id, coalesce((SELECT uid FROM journal WHERE record_type = '${type}'
         AND record_id = record.id ORDER BY sequence LIMIT 1), uid) FROM ${type} AS record WHERE true ON CONFLICT DO NOTHING`,
    )
  }
  await ddl.run(`${into} SELECT uuid, 'file', id, uid FROM file WHERE true ON CONFLICT DO NOTHING`)
  await removedBefore(ddl)
  await quantities(ddl, report)
}

interface Removal {
  readonly sequence: number
  readonly uid: number
  readonly type: string
  readonly number: number
  readonly at: number
  readonly after: string | null
}

const rowsAtOnce = 2_000

/** Records removed before this version are in no trash, but their UUIDs stay taken. */
async function removedBefore(ddl: Ddl): Promise<void> {
  for (let from = 0; ; ) {
    const removals = await ddl.ask<Removal>(
      `SELECT sequence, record_type AS type, record_id AS number, at,
         (SELECT uid FROM journal AS entry WHERE entry.record_type = removal.record_type AND entry.record_id = removal.record_id
            ORDER BY sequence LIMIT 1) AS uid,
         (SELECT after FROM journal AS entry WHERE entry.record_type = removal.record_type AND entry.record_id = removal.record_id
            AND entry.after IS NOT NULL ORDER BY sequence DESC LIMIT 1) AS after
       FROM journal AS removal WHERE verb = 'remove' AND sequence > ${from} ORDER BY sequence LIMIT ${rowsAtOnce}`,
    )
    await insert(
      ddl,
      removals.flatMap(({ after, type, number, uid, at }) => {
        const uuid = uuidsIn(after, (record) => [record])[0]
        return uuid === undefined ? [] : [`('${uuid}', '${type}', ${number}, ${uid}, ${at}, ${at})`]
      }),
    )
    const last = removals.at(-1)
    if (last === undefined || removals.length < rowsAtOnce) return
    from = last.sequence
  }
}

/** The quantities of logs are known by UUIDs of their own. */
async function quantities(ddl: Ddl, report: Report): Promise<void> {
  for (let from = 0; ; ) {
    const logs = await ddl.ask<{ readonly id: number; readonly uid: number; readonly fields: string }>(
      `SELECT id, uid, fields FROM log WHERE id > ${from} ORDER BY id LIMIT ${rowsAtOnce}`,
    )
    await insert(
      ddl,
      logs.flatMap(({ id, uid, fields }) =>
        uuidsIn(fields, ({ quantity }) => (Array.isArray(quantity) ? quantity : [])).map(
          (uuid) => `('${uuid}', 'quantity', ${id}, ${uid}, NULL, NULL)`,
        ),
      ),
    )
    const last = logs.at(-1)
    if (last === undefined || logs.length < rowsAtOnce) return
    from = last.id
    report('quantities', from, 0)
  }
}

/** Unreadable rows are skipped: the doctor names them. */
function uuidsIn(
  json: string | null,
  wanted: (tree: Record<string, unknown>) => readonly unknown[],
): readonly string[] {
  try {
    const tree = JSON.parse(json ?? 'null')
    const found = typeof tree === 'object' && tree !== null ? wanted(tree) : []
    return found.flatMap((one) => {
      const uuid = (one as { readonly uuid?: unknown } | null)?.uuid
      return typeof uuid === 'string' && /^[\da-f-]{36}$/.test(uuid) ? [uuid] : []
    })
  } catch {
    return []
  }
}

async function insert(ddl: Ddl, tuples: readonly string[]): Promise<void> {
  if (tuples.length === 0) return
  await ddl.run(
    `INSERT INTO identity (uuid, type, number, uid, removed, ended) VALUES ${tuples.join()} ON CONFLICT DO NOTHING`,
  )
}

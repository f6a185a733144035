import { allTypeNames } from '../../farm/fields-of.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, listed, named } from '../sql/fragment.ts'
import { type ReportFinding, rebuild, restoreBackup } from './finding.ts'

/** Target tables of references. */
const targets = {
  log: fragment`select 1 from log where log.id`,
  asset: fragment`select 1 from asset where asset.id`,
  term: fragment`select 1 from term where term.id`,
  quantity: fragment`select 1 from quantity where quantity.id`,
  user: fragment`select 1 from account where account.uid`,
  file: fragment`select 1 from file where file.id`,
} as const

type TargetType = keyof typeof targets

const missing = (type: TargetType, id: string): Fragment => fragment`not exists (${targets[type]} = ${named(id)})`

interface OrphanCheck {
  readonly rows: Fragment
  readonly what: (row: OrphanRow) => string
  readonly mend: string
  readonly alike: string
}

type OrphanRow = Readonly<Record<string, string | number>>

const isNamed = fragment`exists (select 1 from reference
  where path in (select id from path where target_type = 'file') and target_id = file.id)`

const checks: readonly OrphanCheck[] = [
  ...(Object.keys(targets) as TargetType[]).map((type) => ({
    rows: fragment`select * from path join reference on reference.path = path.id
      where target_type = ${type} and ${missing(type, 'reference.target_id')}`,
    what: (row: OrphanRow) =>
      `${row.source_type} ${row.source_id} refers in ${row.field} to ${type} ${row.target_id}, which is not there`,
    mend: `change what refers, or ${restoreBackup}`,
    alike: 'references to what is not there',
  })),
  ...allTypeNames.flatMap((type) => [
    {
      rows: fragment`select distinct source_id, target_type, target_id from path join reference on reference.path = path.id
        where source_type = ${type} and ${missing(type, 'reference.source_id')}`,
      what: (row: OrphanRow) =>
        `An orphan in reference: ${type} ${row.source_id} is not there, but is noted as referring to ${row.target_type} ${row.target_id}`,
      mend: rebuild,
      alike: 'orphans in reference',
    },
    {
      rows: fragment`select distinct record_id, field from path join facet on facet.path = path.id
        where source_type = ${type} and ${missing(type, 'facet.record_id')}`,
      what: (row: OrphanRow) =>
        `An orphan in facet: ${type} ${row.record_id} is not there, but can be found by its ${row.field}`,
      mend: rebuild,
      alike: 'orphans in facet',
    },
    {
      rows: fragment`select id, uid from ${named(type)} as record where uid <> 0 and ${missing('user', 'record.uid')}`,
      what: (row: OrphanRow) => `${type} ${row.id} was written by account ${row.uid}, which is not there`,
      mend: restoreBackup,
      alike: 'records whose author is not there',
    },
  ]),
  {
    rows: fragment`select distinct source_id, path from reference where path not in (select id from path
      where source_type in (${listed(allTypeNames)}) and target_type in (${listed(Object.keys(targets))}))`,
    what: (row) =>
      `An orphan in reference: record ${row.source_id} is noted under ${row.path}, which is no path to any record`,
    mend: rebuild,
    alike: 'orphans in reference',
  },
  {
    rows: fragment`select distinct record_id, path from facet where path not in (select id from path
      where source_type in (${listed(allTypeNames)}) and target_type = '')`,
    what: (row) =>
      `An orphan in facet: record ${row.record_id} is noted under ${row.path}, which is no path to any value`,
    mend: rebuild,
    alike: 'orphans in facet',
  },
  {
    rows: fragment`select id, log_id from quantity where log_id is not null and ${missing('log', 'quantity.log_id')}`,
    what: (row) => `quantity ${row.id} is noted as one of log ${row.log_id}, which is not there`,
    mend: restoreBackup,
    alike: 'quantities of logs that are not there',
  },
  {
    rows: fragment`select id, bundle from term
      where not exists (select 1 from vocabulary where vocabulary.machine_name = term.bundle)`,
    what: (row) => `term ${row.id} is of the vocabulary ${row.bundle}, which is not there`,
    mend: restoreBackup,
    alike: 'terms whose vocabulary is not there',
  },
  {
    rows: fragment`select id, name, uid from file where uid <> 0 and ${missing('user', 'file.uid')}`,
    what: (row) => `File ${row.id} (${row.name}) is of account ${row.uid}, which is not there`,
    mend: restoreBackup,
    alike: 'files of accounts that are not there',
  },
  {
    rows: fragment`select distinct uid from journal where uid <> 0 and ${missing('user', 'journal.uid')}`,
    what: (row) => `The journal names account ${row.uid}, which is not there`,
    mend: restoreBackup,
    alike: 'accounts that the journal names and that are not there',
  },
  ...(['stay', 'inventory_change'] as const).map((table) => ({
    rows: fragment`select distinct log_id, thing_type, thing_id from ${named(table)} as kept where ${missing('log', 'kept.log_id')}
      or (thing_type = 'asset' and ${missing('asset', 'kept.thing_id')}) or (thing_type = 'term' and ${missing('term', 'kept.thing_id')})`,
    what: (row: OrphanRow) =>
      `An orphan in ${table}: log ${row.log_id} or ${row.thing_type} ${row.thing_id} is not there`,
    mend: rebuild,
    alike: `orphans in ${table}`,
  })),
  {
    rows: fragment`select id, name from file where unused_since is null and not ${isNamed}`,
    what: (row) => `File ${row.id} (${row.name}) belongs to no record`,
    mend: restoreBackup,
    alike: 'files that belong to no record',
  },
  {
    rows: fragment`select id, name from file where unused_since is not null and ${isNamed}`,
    what: (row) => `File ${row.id} (${row.name}) belongs to a record, though it is noted as one that none names`,
    mend: restoreBackup,
    alike: 'files of records that are noted as those of none',
  },
  {
    rows: fragment`select id, name, sha256 from file where not exists (select 1 from blob where blob.sha256 = file.sha256)`,
    what: (row) => `The bytes of file ${row.id} (${row.name}) are not there`,
    mend: restoreBackup,
    alike: 'files whose bytes are not there',
  },
  {
    rows: fragment`select sha256 from blob where not exists (select 1 from file where file.sha256 = blob.sha256)`,
    what: (row) => `The bytes ${row.sha256} belong to no file`,
    mend: restoreBackup,
    alike: 'bytes that belong to no file',
  },
  {
    rows: fragment`select distinct sha256 from blob_chunk
      where not exists (select 1 from blob where blob.sha256 = blob_chunk.sha256)`,
    what: (row) => `Pieces of the bytes ${row.sha256} belong to nothing`,
    mend: restoreBackup,
    alike: 'pieces of bytes that belong to nothing',
  },
]

/** References without a target, and rows without an owner. */
export async function checkOrphans(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const check of checks) {
    const { mend, alike } = check
    for (const row of await ask<OrphanRow>(snapshot, check.rows)) found({ what: check.what(row), mend, alike })
  }
}

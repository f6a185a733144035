import type { Tables } from './tables.ts'

export type TableName = keyof Tables

/** A table that is written out row by row, in the order of its key. */
export interface CarriedTable {
  readonly key: string
  /** Columns whose text is JSON, which is written as such and not as a string. */
  readonly json?: readonly string[]
  /** The database gives the keys and never gives one twice, here or wherever the farm moves. */
  readonly numbered?: true
  /** The rows that stay behind. */
  readonly except?: readonly string[]
  /** The columns that stay behind. */
  readonly without?: readonly string[]
}

/**
 * `rebuilt`: follows from the records and is worked out again. `bytes`: written as files of their own. `stays-behind`: sessions,
 * tokens and other things of the moment, which would be secrets in a backup and mean nothing on another machine.
 */
type Fate = CarriedTable | 'rebuilt' | 'bytes' | 'stays-behind'

const record: CarriedTable = { key: 'id', json: ['fields'], numbered: true }
const lists = ['grants', 'scopes', 'default_scopes', 'redirect_uris', 'origins']

/** The setting that says which cluster has numbered the transactions of the journal (see feed/cluster.ts). */
export const clusterSetting = 'journal_cluster'

/** The setting that says when the farm was backed up. */
export const lastBackupSetting = 'last_backup'

/** The treatment of every table when a farm is backed up, exported or moved. */
export const fates: Readonly<Record<TableName, Fate>> = {
  // A farm that comes from elsewhere is another. First of all, as in every change: where a restore waits for it, it waits for no table that a change is waiting for.
  edition: 'stays-behind',
  // Without its secret the installation makes itself a new one: nothing that outlives a move was sealed with it.
  setting: { key: 'name', except: ['installation_secret', clusterSetting, lastBackupSetting] },
  vocabulary: { key: 'vid', numbered: true },
  account: { key: 'uid', numbered: true },
  client: { key: 'id', json: lists },
  term: record,
  asset: record,
  // Before the logs: what follows from a log asks which numbers its quantities have.
  quantity: record,
  log: record,
  file: { key: 'id', numbered: true },
  identity: { key: 'uuid' },
  change_set: { key: 'id', json: ['results'] },
  // Numbers of transactions mean nothing in another database.
  journal: { key: 'sequence', json: ['after'], numbered: true, without: ['xid'] },
  access_event: { key: 'sequence', numbered: true },
  // A link stays valid for its promised time, wherever the farm moves.
  report_link: { key: 'id' },
  path: 'rebuilt',
  reference: 'rebuilt',
  facet: 'rebuilt',
  stay: 'rebuilt',
  inventory_change: 'rebuilt',
  term_claim: 'rebuilt',
  // The database counts by itself as rows come in.
  tally: 'rebuilt',
  blob: 'bytes',
  blob_chunk: 'bytes',
  session: 'stays-behind',
  invitation: 'stays-behind',
  token_family: 'stays-behind',
  access_token: 'stays-behind',
  refresh_token: 'stays-behind',
  authorization_request: 'stays-behind',
  authorization_code: 'stays-behind',
  login_streak: 'stays-behind',
  login_failure: 'stays-behind',
  // Answers for those who repeat a request within a day.
  kept_answer: 'stays-behind',
  // No server works yet on a farm that comes from elsewhere.
  server: 'stays-behind',
  migration: 'stays-behind',
}

// The keys of a record typed over all tables are the tables.
export const tableNames = Object.keys(fates) as TableName[]

export const carriedTables: readonly (readonly [TableName, CarriedTable])[] = tableNames.flatMap((name) => {
  const fate = fates[name]
  return typeof fate === 'string' ? [] : [[name, fate] as const]
})

export const numberedTables = carriedTables.filter(([, { numbered }]) => numbered)

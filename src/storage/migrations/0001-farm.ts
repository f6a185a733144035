import type { ColumnDefinition, Ddl, Migration } from './ddl.ts'

const recordColumns = {
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
} satisfies Record<string, ColumnDefinition>

export const farm: Migration = {
  version: 1,
  name: 'farm',
  async up(ddl) {
    await records(ddl)
    await vocabularies(ddl)
    await projections(ddl)
    await files(ddl)
    await people(ddl)
    await ddl.table('setting', { name: 'key', value: 'text' }, { primary: ['name'], clustered: true })
    await journal(ddl)
  },
}

async function records(ddl: Ddl): Promise<void> {
  await ddl.table('log', { ...recordColumns, timestamp: 'integer', status: 'key' }, { unique: ['uuid'] })
  await ddl.index('log', 'bundle', 'id')
  await ddl.index('log', 'status', 'id')
  await ddl.index('log', 'bundle', 'status', 'id')
  await ddl.index('log', 'timestamp', 'id')
  await ddl.index('log', 'name_key')

  await ddl.table('asset', { ...recordColumns, archived: 'integer' }, { unique: ['uuid'] })
  await ddl.index('asset', 'bundle', 'id')
  await ddl.index('asset', 'archived', 'id')
  await ddl.index('asset', 'name_key')

  await ddl.table('term', { ...recordColumns, weight: 'integer' }, { unique: ['uuid'] })
  await ddl.index('term', 'bundle', 'id')
  await ddl.index('term', 'bundle', 'name_key')
  await ddl.index('term', 'bundle', 'weight', 'id')
  await ddl.index('term', 'weight', 'id')
  await ddl.index('term', 'name_key')
}

async function vocabularies(ddl: Ddl): Promise<void> {
  await ddl.table('vocabulary', { vid: 'id', machine_name: 'key' }, { unique: ['machine_name'] })
  await ddl.table(
    'term_claim',
    { vocabulary: 'key', name_key: 'key' },
    { primary: ['vocabulary', 'name_key'], clustered: true },
  )
}

async function projections(ddl: Ddl): Promise<void> {
  await ddl.table(
    'reference',
    { source_type: 'key', source_id: 'integer', field: 'key', target_type: 'key', target_id: 'integer' },
    { primary: ['source_type', 'source_id', 'field', 'target_type', 'target_id'], clustered: true },
  )
  await ddl.index('reference', 'target_type', 'target_id', 'source_type', 'field', 'source_id')

  await ddl.table('facet', { record_type: 'key', record_id: 'integer', field: 'key', key: 'key', whole_key: 'key?' })
  await ddl.index('facet', 'record_type', 'field', 'key', 'record_id')
  await ddl.index('facet', 'record_type', 'record_id')

  await ddl.table(
    'stay',
    {
      kind: 'key',
      asset_id: 'integer',
      timestamp: 'integer',
      log_id: 'integer',
      place_id: 'integer',
      until: 'integer',
    },
    { primary: ['kind', 'asset_id', 'timestamp', 'log_id', 'place_id'], clustered: true },
  )
  await ddl.index('stay', 'kind', 'place_id', 'until', 'timestamp', 'asset_id')
  await ddl.index('stay', 'log_id')

  await ddl.table(
    'inventory_change',
    { asset_id: 'integer', timestamp: 'integer', log_id: 'integer', position: 'integer', value: 'text' },
    { primary: ['asset_id', 'timestamp', 'log_id', 'position'], clustered: true },
  )
  await ddl.index('inventory_change', 'log_id')
}

async function files(ddl: Ddl): Promise<void> {
  await ddl.table(
    'file',
    {
      id: 'id',
      uuid: 'key',
      name: 'text',
      mime: 'key',
      size: 'integer',
      sha256: 'key',
      uid: 'integer',
      created: 'integer',
    },
    { unique: ['uuid'] },
  )
  await ddl.index('file', 'sha256')
  await ddl.table('blob', { sha256: 'key', size: 'integer' }, { primary: ['sha256'] })
  await ddl.table(
    'blob_chunk',
    { sha256: 'key', position: 'integer', bytes: 'bytes' },
    { primary: ['sha256', 'position'] },
  )
}

async function people(ddl: Ddl): Promise<void> {
  await ddl.table(
    'account',
    {
      uid: 'id',
      uuid: 'key',
      name: 'text',
      name_key: 'key',
      mail: 'text',
      mail_key: 'key',
      language: 'key',
      role: 'key?',
      password_hash: 'text?',
      blocked: 'integer',
      created: 'integer',
    },
    { unique: ['uuid', 'name_key'] },
  )
  await ddl.index('account', 'mail_key')
}

async function journal(ddl: Ddl): Promise<void> {
  await ddl.table('journal', {
    sequence: 'id',
    at: 'integer',
    uid: 'integer',
    record_type: 'key',
    record_id: 'integer',
    verb: 'key',
    after: 'text?',
  })
  await ddl.index('journal', 'record_type', 'record_id', 'sequence')
}

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database, Engine } from '../../src/storage/database.ts'
import { keptRows } from '../../src/storage/doctor/derived-row-checks.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import { toTarget, toValue } from '../../src/storage/records/path.ts'
import { isReferredTo } from '../../src/storage/records/referrers.ts'
import { SqliteConnection } from '../../src/storage/sqlite/connection.ts'
import type { Client } from '../harness/client.ts'
import { emptyPlace } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

/** What grows with the farm, under the names that plans use. */
const growing = [
  'log',
  'asset',
  'term',
  'quantity',
  'record',
  'stay',
  'reference',
  'facet',
  'inventory_change',
  'journal',
]

/**
 * A farm that is large enough for a planner to prefer an index wherever there is one, and in which what is asked for is
 * rare: of what is common a planner rightly finds a page by walking along all.
 */
const counted = (count: number, insert: string) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) ${insert} from n`
const recordColumns = 'uuid, bundle, name, name_key, uid, created, changed, revision'
const toAsset = toTarget('log', { field: 'asset', target: 'asset' })
const toOwner = toTarget('log', { field: 'log_owner', target: 'user' })
const toNotes = toValue('log', 'notes')
const toInventory = toTarget('quantity', { field: 'inventory_asset', target: 'asset' })
const quantityColumns = 'log_id, field, position, measure, label_key, value_key, adjustment'
const population = [
  `delete from term`,
  `insert into log (${recordColumns}, fields, timestamp, status) ${counted(20_000, `select '00000000-0000-4000-8000-' || (100000000000 + i), case i % 97 when 0 then 'farm_harvest' else 'farm_activity' end, 'Log ' || i, 'log ' || i, 1, 0, 0, 1, '{"asset":[' || (1 + i % 4000) || '],"movement":{"uuid":"m","area":[' || (1 + i % 1500) || ']}}', i, case i % 89 when 0 then 'pending' else 'done' end`)}`,
  `insert into asset (${recordColumns}, fields, archived) ${counted(4_000, `select '00000000-0000-4000-8000-' || (200000000000 + i), case i % 29 when 0 then 'animal' else 'planting' end, 'Asset ' || i, 'asset ' || i, 1, 0, 0, 1, case i % 29 when 0 then '{"animal_type":1}' else '{"crop":[1]}' end, case i % 31 when 0 then 0 else 1 end`)}`,
  `insert into term (id, ${recordColumns}, fields, weight) ${counted(3_000, `select i, '00000000-0000-4000-8000-' || (300000000000 + i), case i % 23 when 0 then 'farm_areas' else 'farm_crops' end, 'Term ' || i, 'term ' || i, 1, 0, 0, 1, '{}', 0`)}`,
  `insert into reference (source_id, path, target_id) ${counted(20_000, `select i, ${toAsset}, 1 + i % 4000`)}`,
  `insert into reference (source_id, path, target_id) ${counted(20_000, `select i, ${toOwner}, 1 + i % 3`)}`,
  `insert into quantity (${recordColumns}, fields, ${quantityColumns}) ${counted(20_000, `select '00000000-0000-4000-8000-' || (400000000000 + i), 'standard', '', '', 1, 0, 0, 0, '{}', i, 'quantity', 0, 'weight', '', '2011', 'increment'`)}`,
  `insert into reference (source_id, path, target_id) ${counted(20_000, `select i, ${toInventory}, 1 + i % 4000`)}`,
  `insert into facet (record_id, path, key, nth, whole_key) ${counted(20_000, `select i, ${toNotes}, 'note ' || i, 0, null`)}`,
  `insert into stay (kind, thing_type, thing_id, timestamp, log_id, place_type, place_id, until) ${counted(20_000, `select 'movement', 'asset', 1 + i % 4000, i, i, 'term', 1 + i % 1500, i + 4000`)}`,
  `insert into inventory_change (thing_type, thing_id, measure, unit_id, timestamp, log_id, position, value, is_reset) ${counted(5_000, `select 'asset', 1 + i % 4000, 'count', 0, i, i, 0, '1', 0`)}`,
  `insert into journal (at, uid, record_type, record_id, verb, after) ${counted(20_000, `select i, 1, 'log', i, 'create', '{}'`)}`,
]

const reads = [
  '/log/17.json',
  '/log.json',
  '/log.json?page=150',
  '/log.xml?page=3',
  '/log.json?type=farm_harvest',
  '/log.json?done=0',
  '/log.json?type=farm_harvest&done=1',
  '/log.json?type=farm_harvest&done=0',
  '/log.json?asset=30',
  '/log.json?id[]=5&id[]=6',
  '/log.json?sort=timestamp&direction=DESC',
  '/farm_asset/30.json',
  '/farm_asset.json?type=animal',
  '/farm_asset.json?archived=0',
  '/taxonomy_term/30.json',
  '/taxonomy_term.json?bundle=farm_areas',
  '/farm.json',
  '/farm_asset/30.json?with=group,inventory&as_of=15000',
  '/farm_asset.json?type=animal&as_of=15000',
  '/taxonomy_term.json?bundle=farm_areas&as_of=15000',
  '/stays?asset=30',
  '/stays?asset=30&from=10000&to=15000&after=30.14029.14029.530',
  '/stays?area=46',
  '/stays?area=46&within=1&from=10000',
  '/farm_asset/30/because.json',
  '/taxonomy_term/46/because.json?as_of=15000',
  '/reports/harvest.json?from=1970-01-01&to=1970-01-01&shapes=1',
  '/reports/harvest.json?from=1970-01-01&to=1970-01-01&asset=30',
  '/reports/inputs.json?from=1970-01-01&to=1970-01-01',
  '/reports/field-history.json?area=46&from=1970-01-01&to=1970-01-01',
]

/** What is shown of these records is not as a schema says: only the lookups are real. */
const newerReads = [
  '/api/log/activity?filter[asset.name]=Asset 30',
  '/api/log/activity?filter[asset.id]=00000000-0000-4000-8000-200000000030',
  '/api/log/activity?filter[quantity.inventory_asset.id]=00000000-0000-4000-8000-200000000030&filter[quantity.measure]=weight',
  '/api/log/activity?filter[quantity.inventory_asset.name]=Asset 30&sort=-timestamp',
  '/api/log/activity?filter[asset.parent.name]=Asset 30',
  '/api/log/activity?filter[owner.name]=nobody',
  '/api/log/activity?filter[name]=Log 5',
  '/api/log/activity?filter[notes.value]=note 5',
  '/api/asset/animal?filter[name]=Asset 29',
]

const moving = {
  name: 'Moved',
  type: 'farm_activity',
  timestamp: 1_700_000_000,
  done: 1,
  asset: [{ id: '30' }],
  movement: { area: [{ id: '46' }] },
  inventory: [{ asset: { id: '30' }, value: '2' }],
}

interface Asked {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Every statement that the service sends to either engine, once each, and how many it sent in all. */
function listenIn(): { readonly asked: Map<string, Asked>; readonly count: number; stop(): void } {
  const asked = new Map<string, Asked>()
  let count = 0
  const run = SqliteConnection.prototype.executeQuery
  const onSqlite = vi.spyOn(SqliteConnection.prototype, 'executeQuery').mockImplementation(function (
    this: SqliteConnection,
    query,
  ) {
    asked.set(query.sql, { sql: query.sql, values: [] })
    count += 1
    return run.call(this, query) as never
  })
  const query = PostgresClient.prototype.query
  const onPostgres = vi.spyOn(PostgresClient.prototype, 'query').mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    const [first] = given as [{ text?: string; values?: unknown[] } | string]
    count += 1
    if (typeof first === 'object' && first.text) asked.set(first.text, { sql: first.text, values: first.values ?? [] })
    return query.apply(this as never, given as never)
  } as typeof query)
  return {
    asked,
    get count() {
      return count
    },
    stop() {
      onSqlite.mockRestore()
      onPostgres.mockRestore()
    },
  }
}

const isPlanned = ({ sql }: Asked): boolean => /^\s*(select|update|delete|with)\b/i.test(sql)

describe.each<Engine>(['sqlite', 'postgres'])('on %s, a farm that has grown', (engine) => {
  let place: StoragePlace
  let client: Client
  let database: Database
  let listening: ReturnType<typeof listenIn>

  beforeAll(async () => {
    listening = listenIn()
    place = await emptyPlace(engine)
    const farm = await openFarm({ engine, place })
    client = await farm.login('manager')
    database = farm.installation.database
    await populate(place)
  })
  afterAll(() => listening.stop())

  async function scansDuring(work: () => Promise<unknown>): Promise<string[]> {
    listening.asked.clear()
    await work()
    const asked = [...listening.asked.values()].filter(isPlanned)
    listening.asked.clear()
    return scansIn(place, asked)
  }

  it.each(reads)('answers %s without reading a whole table', async (path) => {
    expect(await scansDuring(async () => expect((await client.get(path)).status).toBe(200))).toEqual([])
  })
  it.each(newerReads)('answers %s without reading a whole table', async (path) => {
    expect(await scansDuring(async () => expect((await client.stream(path, {})).status).toBe(200))).toEqual([])
  })
  it('is judged by a rule that sees a scan', async () => {
    const unindexed = [
      'select count(*) as count from log',
      "select id from log where name = 'Log 5'",
      "select id from log where name = 'Log 5' order by id limit 1",
      'delete from stay where until = 5',
    ]
    const asked = unindexed.map((sql) => ({ sql, values: [] }))
    expect(await scansIn(place, asked)).toEqual(unindexed)
  })
  it('takes a new log without reading a whole table', async () => {
    expect(await scansDuring(async () => expect((await client.post('/log', moving)).status).toBe(201))).toEqual([])
  })
  it('takes a batch of logs without reading a whole table, in a fraction of the statements', async () => {
    const operations = Array.from({ length: 50 }, (_, n) => ({
      method: 'POST',
      path: '/log',
      body: { ...moving, name: `Moved ${n}`, asset: [{ id: 30 + n }], area: [{ name: 'term 46' }] },
    }))
    let statements = 0
    const scans = await scansDuring(async () => {
      const before = listening.count
      expect((await client.post('/batch', { operations })).status).toBe(200)
      statements = listening.count - before
    })
    expect(scans).toEqual([])
    // SQLite is told of each stay that ends, one by one.
    expect(statements).toBeLessThan(engine === 'sqlite' ? 100 : 50)
  })
  it.each([
    ['/log/19', 200],
    ['/farm_asset/30', 409],
    ['/taxonomy_term/30', 200],
    ['/farm_asset/2', 409],
    ['/taxonomy_term/2', 200],
  ])('is asked to remove %s without reading a whole table', async (path, status) => {
    expect(await scansDuring(async () => expect((await client.delete(path)).status).toBe(status))).toEqual([])
  })
  it.each(['file', 'user', 'log'])('knows whether a %s is referred to without reading a whole table', async (type) => {
    const asking = () => database.read((snapshot) => isReferredTo(snapshot, type, 2))
    expect(await scansDuring(async () => expect(await asking()).toBe(type === 'user'))).toEqual([])
  })
  it('shows the doctor the entries of a stretch of logs by their numbers', async () => {
    const stretch = () => database.read((snapshot) => keptRows(snapshot, { type: 'log', first: 500, last: 600 }))
    expect(await scansDuring(stretch)).toEqual([])
    if (engine === 'postgres') return
    await stretch()
    const plans = plansOnSqlite(place, [...listening.asked.keys()])
    expect(plans).toContainEqual(expect.stringContaining('reference USING PRIMARY KEY (source_id>? AND source_id<?)'))
    expect(plans).toContainEqual(expect.stringContaining('facet USING PRIMARY KEY (record_id>? AND record_id<?)'))
  })
  it.each(['/trash.json', '/trash.json?type=log'])('walks along the removals for %s', async (path) => {
    expect(await scansDuring(() => client.read(path))).toEqual([])
    if (engine === 'postgres') return
    await client.read(path)
    const plans = plansOnSqlite(place, [...listening.asked.keys()])
    expect(plans).toContainEqual(expect.stringMatching(/^S\w+ identity USING INDEX identity_with_removed_before_ended/))
    expect(plans).not.toContainEqual('USE TEMP B-TREE FOR ORDER BY')
  })
  it.each(['harvest', 'inputs'])('walks along the logs that the report %s counts, and no others', async (report) => {
    const path = `/reports/${report}.json?from=1970-01-01&to=1970-01-02`
    expect(await scansDuring(() => client.read(path))).toEqual([])
    if (engine === 'postgres') return
    await client.read(`${path}&group=area`)
    const plans = plansOnSqlite(place, [...listening.asked.keys()])
    const walk = 'USING INDEX log_by_bundle_status_timestamp_id (bundle=? AND status=? AND'
    expect(plans).toContainEqual(expect.stringContaining(walk))
    expect(plans).not.toContainEqual('USE TEMP B-TREE FOR ORDER BY')
  })
  it('takes a changed log without reading a whole table', async () => {
    const body = { name: 'Renamed', notes: 'Anew', done: 1, timestamp: 1_700_000_100 }
    expect(await scansDuring(async () => expect((await client.put('/log/17', body)).status).toBe(200))).toEqual([])
  })
})

async function populate({ data, database }: StoragePlace): Promise<void> {
  if (database === null) {
    const file = new DatabaseSync(join(data, 'farm.sqlite'))
    for (const statement of population) file.exec(statement)
    file.close()
    return
  }
  await onPostgres(database, async (rows) => {
    for (const statement of population) await rows.query(statement)
    await rows.query('vacuum analyze')
  })
}

async function scansIn({ data, database }: StoragePlace, asked: readonly Asked[]): Promise<string[]> {
  const scans: string[] = []
  if (database === null) {
    const file = new DatabaseSync(join(data, 'farm.sqlite'))
    for (const { sql } of asked) if (scansOnSqlite(file, sql)) scans.push(sql)
    file.close()
    return scans
  }
  await onPostgres(database, async (rows) => {
    for (const { sql, values } of asked) {
      const { rows: plans } = await rows.query(`explain (format json) ${sql}`, [...values])
      if (scansOnPostgres(plans[0]['QUERY PLAN'][0].Plan, 'unbounded')) scans.push(sql)
    }
  })
  return scans
}

function plansOnSqlite({ data }: StoragePlace, asked: readonly string[]): string[] {
  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  const plans = asked.filter((sql) => /^select/i.test(sql)).flatMap((sql) => stepsOnSqlite(file, sql))
  file.close()
  return plans
}

const stepsOnSqlite = (file: InstanceType<typeof DatabaseSync>, sql: string): string[] =>
  file
    .prepare(`explain query plan ${sql}`)
    .all()
    .map(({ detail }: { detail: string }) => detail)

/** A walk in the order that is asked for ends with its LIMIT; any other scan reads the whole table. */
function scansOnSqlite(file: InstanceType<typeof DatabaseSync>, sql: string): boolean {
  const steps = stepsOnSqlite(file, sql)
  const scans = steps.filter((step) => growing.some((table) => new RegExp(`^SCAN "?${table}\\b`).test(step)))
  const isBounded =
    /\blimit\b/i.test(sql) && !/\bwhere\b/i.test(sql) && !steps.some((step) => /TEMP B-TREE FOR ORDER BY/.test(step))
  return scans.length > 0 && !isBounded
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

function scansOnPostgres(node: PlanNode, above: 'limit' | 'unbounded'): boolean {
  const isOfGrowing = growing.includes(node['Relation Name'] ?? '')
  const type = node['Node Type']
  const isWalk = /^Index (Only )?Scan$/.test(type) && node['Index Cond'] === undefined
  if (isOfGrowing && (type === 'Seq Scan' || (isWalk && (above === 'unbounded' || node.Filter !== undefined))))
    return true
  const below = type === 'Limit' ? 'limit' : /^Sort$|Aggregate|Hash/.test(type) ? 'unbounded' : above
  return (node.Plans ?? []).some((child) => scansOnPostgres(child, below))
}

async function onPostgres(url: string, work: (rows: PostgresClient) => Promise<void>): Promise<void> {
  const rows = new PostgresClient({ connectionString: url })
  await rows.connect()
  try {
    await work(rows)
  } finally {
    await rows.end()
  }
}

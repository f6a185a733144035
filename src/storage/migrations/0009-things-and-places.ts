import type { Ddl, Migration } from './ddl.ts'

/** Areas move and are counted too, assets are places too, and inventory is known by measure and unit, with resets. */
export const thingsAndPlaces: Migration = {
  version: 9,
  name: 'things-and-places',
  async up(ddl, report) {
    report('stays', 0, 0)
    await stays(ddl)
    report('inventory', 0, 0)
    await inventory(ddl)
  },
}

/** Until now only assets moved into areas, and joined groups, which are assets. */
async function stays(ddl: Ddl): Promise<void> {
  await ddl.run('ALTER TABLE stay RENAME TO stay_of_assets')
  await ddl.table(
    'stay',
    {
      kind: 'key',
      thing_type: 'key',
      thing_id: 'integer',
      timestamp: 'integer',
      log_id: 'integer',
      place_type: 'key',
      place_id: 'integer',
      until: 'integer',
    },
    {
      primary: ['kind', 'thing_type', 'thing_id', 'timestamp', 'log_id', 'place_type', 'place_id'],
      clustered: true,
    },
  )
  await ddl.run(
    `INSERT INTO stay SELECT kind, 'asset', asset_id, timestamp, log_id,
       CASE WHEN kind = 'movement' THEN 'term' ELSE 'asset' END, place_id, until
     FROM stay_of_assets ORDER BY kind, asset_id, timestamp, log_id, place_id`,
  )
  await ddl.run('DROP TABLE stay_of_assets')
  await ddl.index('stay', 'kind', 'place_type', 'place_id', 'until', 'timestamp', 'thing_id')
  await ddl.index('stay', 'log_id')
}

/** Until now things were counted without units. */
async function inventory(ddl: Ddl): Promise<void> {
  await ddl.run('ALTER TABLE inventory_change RENAME TO inventory_change_of_assets')
  await ddl.table(
    'inventory_change',
    {
      thing_type: 'key',
      thing_id: 'integer',
      measure: 'key',
      unit_id: 'integer',
      timestamp: 'integer',
      log_id: 'integer',
      position: 'integer',
      value: 'text',
      is_reset: 'integer',
    },
    {
      primary: ['thing_type', 'thing_id', 'measure', 'unit_id', 'timestamp', 'log_id', 'position'],
      clustered: true,
    },
  )
  await ddl.run(
    `INSERT INTO inventory_change SELECT 'asset', asset_id, 'count', 0, timestamp, log_id, position, value, 0
     FROM inventory_change_of_assets ORDER BY asset_id, timestamp, log_id, position`,
  )
  await ddl.run('DROP TABLE inventory_change_of_assets')
  await ddl.index('inventory_change', 'log_id')
}

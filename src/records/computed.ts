import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle } from '../farm/fields-of.ts'
import type { Values } from '../fields/value.ts'
import { inventoryLevels } from '../history/inventory.ts'
import { unknownWhereabouts, whereaboutsOf } from '../history/location.ts'
import { currentGroups } from '../history/membership.ts'
import { assetsInAreas, membersOfGroups } from '../history/occupancy.ts'
import type { Reading } from '../storage/database.ts'
import type { Stored } from '../storage/records/stored.ts'

/** What is enough to know of a record in order to compute for it. */
type Which = Pick<Stored, 'type' | 'id' | 'bundle'>

interface Rule {
  readonly fields: readonly string[]
  readonly of: (rows: Reading, ids: readonly number[], now: number) => Promise<(id: number) => Values>
}

/** How the computed fields are worked out, always for a whole page at once. */
const rules: readonly Rule[] = [
  {
    fields: ['location', 'geometry'],
    async of(rows, ids, now) {
      const whereabouts = await whereaboutsOf(rows, ids, now)
      return (id) => {
        const { areas, geometry } = whereabouts.get(id) ?? unknownWhereabouts
        return { location: areas, geometry }
      }
    },
  },
  {
    fields: ['assets'],
    async of(rows, ids, now) {
      const contents = await assetsInAreas(rows, ids, now)
      return (id) => ({ assets: contents.get(id) ?? [] })
    },
  },
  {
    fields: ['group'],
    async of(rows, ids, now) {
      const groups = await currentGroups(rows, ids, now)
      return (id) => ({ group: groups.get(id) ?? [] })
    },
  },
  {
    fields: ['members'],
    async of(rows, ids, now) {
      const members = await membersOfGroups(rows, ids, now)
      return (id) => ({ members: members.get(id) ?? [] })
    },
  },
  {
    fields: ['inventory'],
    async of(rows, ids, now) {
      const levels = await inventoryLevels(rows, ids, now)
      return (id) => ({ inventory: levels.get(id) ?? '0' })
    },
  },
]

interface Asked {
  readonly farm: Farm
  readonly now: number
  /** The names of the computed fields that are wanted. */
  readonly asked: readonly string[]
}

/** The computed values of these records at that time, by id. */
export async function computedOf(
  rows: Reading,
  records: readonly Which[],
  { farm, now, asked }: Asked,
): Promise<ReadonlyMap<number, Values>> {
  const computed = new Map<number, Values>()
  for (const rule of rules.filter(({ fields }) => fields.some((name) => asked.includes(name)))) {
    const having = records.filter((record) => hasComputed(farm, record, rule.fields)).map((record) => record.id)
    if (having.length === 0) continue
    const valuesOf = await rule.of(rows, having, now)
    for (const id of having) computed.set(id, { ...computed.get(id), ...valuesOf(id) })
  }
  return computed
}

function hasComputed(farm: Farm, { type, bundle }: Which, names: readonly string[]): boolean {
  const fields = fieldsOfBundle(farm.records[type], bundle)
  return names.some((name) => fields[name]?.computed !== undefined)
}

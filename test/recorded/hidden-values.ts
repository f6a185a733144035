import { fieldsOfBundle } from '../../src/farm/fields-of.ts'
import type { Field, FieldKind, FieldOf, Fields } from '../../src/fields/field.ts'
import type { PartValue, Value, Values } from '../../src/fields/value.ts'
import { indexOf } from '../../src/records/record-index.ts'
import { reindex } from '../../src/storage/records/index-rows.ts'
import { recordsByIds, replaceRecord } from '../../src/storage/records/record-rows.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import type { FarmUnderTest } from '../harness/farm.ts'
import { plainSamples } from '../harness/kind-samples.ts'

const types = ['log', 'asset', 'term'] as const
const upTo = Array.from({ length: 100 }, (_, place) => place + 1)

/** The records of the farm, in order of type and id. */
export async function keptRecords({ installation }: FarmUnderTest): Promise<readonly StoredRecord[]> {
  return installation.database.read(async (snapshot) => {
    const found: StoredRecord[] = []
    for (const type of types) {
      const ofType = [...(await recordsByIds(snapshot, type, upTo)).values()]
      found.push(...ofType.toSorted((a, b) => a.id - b.id))
    }
    return found
  })
}

/** Puts something into every field of every record that the record interface does not have, and leaves all else as it is. */
export async function hideSomethingEverywhere(farm: FarmUnderTest): Promise<void> {
  const catalogue = farm.installation.farm
  for (const before of await keptRecords(farm)) {
    const fields = fieldsOfBundle(catalogue.records[before.type], before.bundle)
    const after = { ...before, values: filled(fields, before.values) as Values }
    await farm.installation.database.write(async (tx) => {
      await replaceRecord(tx, before, after)
      await reindex(tx, [{ id: after.id, before: indexOf(catalogue, before), after: indexOf(catalogue, after) }])
    })
  }
}

type Members = Readonly<Record<string, Value | undefined>>

function filled(fields: Fields, values: Members): Members {
  const all: Record<string, Value | undefined> = { ...values }
  if (all.status === 'pending') all.status = 'abandoned'
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (field.only === 'newer') all[name] = field.cutTo === undefined ? hidden(field) : values[field.cutTo]
    else if (field.kind === 'part' && value !== undefined) all[name] = inside(field, value)
    else if (field.kind === 'rich-text' && value !== undefined)
      all[name] = { ...(value as object), format: 'plain_text' } as Value
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function inside({ fields }: FieldOf<'part'>, value: Value): Value {
  if (Array.isArray(value)) return value.map((part) => filled(fields, part as PartValue) as PartValue)
  return filled(fields, value as PartValue) as PartValue
}

/** Of a list one of them; files would have to be there. */
function hidden<K extends FieldKind>(field: FieldOf<K>): Value | undefined {
  const one = something[field.kind as K](field)
  return one !== undefined && 'many' in field && field.many ? [one] : one
}

const something: { readonly [K in FieldKind]: (field: FieldOf<K>) => Value | undefined } = {
  ...plainSamples('hidden'),
  choice: () => 'reset',
  reference: ({ to }) => (to === 'term' ? 9 : 1),
  attachment: () => undefined,
  part: ({ fields }) => ({ uuid: '5f3e2b60-0000-4000-8000-000000000001', ...partly(fields) }),
}

const partly = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]: [string, Field]) => {
      const value = field.kind === 'choice' ? undefined : hidden(field)
      return value === undefined ? [] : [[name, value]]
    }),
  )

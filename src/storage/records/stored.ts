import type { Selectable } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Values } from '../../fields/value.ts'
import type { Tables } from '../sql/tables.ts'
import { columnsOfQuantity } from './quantity-rows.ts'

/** A record as it is kept: its identity, what the service notes of it, and the values of its fields. */
export interface StoredRecord {
  readonly type: RecordTypeName
  readonly id: number
  readonly uuid: string
  readonly bundle: string
  readonly uid: number
  readonly created: number
  readonly changed: number
  readonly revision: number
  readonly values: Values
  /** For a quantity: the log that has it, and its values. */
  readonly log?: number
}

export type RecordToStore = Omit<StoredRecord, 'id'>

type RecordColumns = Selectable<Tables['log']> &
  Selectable<Tables['asset']> &
  Selectable<Tables['term']> &
  Partial<Selectable<Tables['quantity']>>

/** The fields that have a column of their own: how a value becomes the column, and back. */
interface ColumnOf {
  readonly column: 'timestamp' | 'status' | 'archived' | 'weight'
  readonly of: (value: Values[string] | undefined) => string | number
  readonly back: (column: string | number) => Values[string]
}

const asNumber = (column: 'timestamp' | 'archived' | 'weight'): ColumnOf => ({
  column,
  of: (value) => (typeof value === 'number' ? value : 0),
  back: (number) => number,
})

export const columnsOf: Readonly<Record<RecordTypeName, Readonly<Record<string, ColumnOf>>>> = {
  log: {
    timestamp: asNumber('timestamp'),
    status: {
      column: 'status',
      of: (value) => (typeof value === 'string' ? value : 'pending'),
      back: (status) => status,
    },
  },
  asset: { archived: asNumber('archived') },
  term: { weight: asNumber('weight') },
  quantity: {},
}

/** Values of columns without input: not done, not archived, no weight. */
const unset = (type: RecordTypeName): Values =>
  Object.fromEntries(Object.entries(columnsOf[type]).map(([field, { of, back }]) => [field, back(of(undefined))]))

export const unsetColumns: Readonly<Record<RecordTypeName, Values>> = {
  log: unset('log'),
  asset: unset('asset'),
  term: unset('term'),
  quantity: unset('quantity'),
}

export function rowOf(record: RecordToStore): Record<string, string | number | null> {
  const { name = '' } = record.values
  const own = columnsOf[record.type]
  const columns: Record<string, string | number> = {}
  for (const [field, { column, of }] of Object.entries(own)) columns[column] = of(record.values[field])
  // Copied one by one: an object that something was deleted from is several times as slow to write down.
  const rest: Record<string, Values[string] | undefined> = {}
  for (const field in record.values) {
    if (field !== 'name' && !Object.hasOwn(own, field)) rest[field] = record.values[field]
  }
  return {
    uuid: record.uuid,
    bundle: record.bundle,
    name: String(name),
    name_key: trimmedTextKey(String(name)),
    uid: record.uid,
    created: record.created,
    changed: record.changed,
    revision: record.revision,
    fields: JSON.stringify(rest),
    ...columns,
    ...(record.type === 'quantity' ? { ...notInALog, ...columnsOfQuantity(record.values) } : {}),
  }
}

const notInALog = { log_id: null, field: null, position: null } as const

export const storedOf = (type: RecordTypeName, row: RecordColumns): StoredRecord =>
  withFields(type, row, JSON.parse(row.fields))

/** A record from its row in an export, which shows the fields as they are or as text. */
export function importedRecord(type: RecordTypeName, row: Readonly<Record<string, unknown>>): StoredRecord {
  const { fields } = row
  // The database receives the same row and checks the columns against the values.
  return withFields(type, row as unknown as RecordColumns, typeof fields === 'string' ? JSON.parse(fields) : fields)
}

function withFields(type: RecordTypeName, row: RecordColumns, fields: Values): StoredRecord {
  const columns: Record<string, Values[string]> = type === 'quantity' ? {} : { name: row.name }
  for (const [field, { column, back }] of Object.entries(columnsOf[type])) columns[field] = back(row[column])
  return {
    type,
    id: row.id,
    uuid: row.uuid,
    bundle: row.bundle,
    uid: row.uid,
    created: row.created,
    changed: row.changed,
    revision: row.revision,
    values: { ...columns, ...fields },
    ...(typeof row.log_id === 'number' ? { log: row.log_id } : {}),
  }
}

/** The name of a record; a quantity has none. */
export const nameOf = ({ values }: Pick<StoredRecord, 'values'>): string | null =>
  values.name === undefined ? null : String(values.name)

/** True if the stored record is no JSON, or JSON of the wrong shape. */
export const isMalformed = (error: unknown): boolean => error instanceof SyntaxError || error instanceof TypeError

/** The result of reading stored data, or null if it is malformed. */
export function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}

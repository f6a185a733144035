import { type Column, columnsOf, type ShownFields } from '../../doors/record-1x/sheets/columns.ts'
import type { RecordType } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { RichText } from '../../fields/value.ts'

/** Every field of a bundle under its own name, also what only one generation of the interface shows. */
export const everyField =
  (type: RecordType) =>
  (bundle: string): ShownFields =>
    new Map(Object.entries(fieldsOfBundle(type, bundle)).map(([own, field]) => [own, { own, field }]))

/** The columns of all that is kept of such records: also formats of texts, and what no installed module knows any more. */
export function everyColumn(type: RecordType, edition: string, shown: readonly ShownFields[]): readonly Column[] {
  const columns = columnsOf({ type, edition, shown, rows: undefined })
  const rich = new Set(
    shown.flatMap((fields) => [...fields].flatMap(([name, { field }]) => (field.kind === 'rich-text' ? [name] : []))),
  )
  return [
    ...columns.flatMap((column) => (rich.has(column.name) ? [column, formatOf(column)] : [column])),
    unknownFields,
  ]
}

const formatOf = ({ name, label }: Column): Column => ({
  name: `${name}.format`,
  label: `${label}: Format`,
  of: name,
  cellIn: ({ record }) => (record.values[name] as RichText | undefined)?.format ?? '',
})

const unknownFields: Column = {
  name: 'other_fields',
  label: 'Other fields',
  of: 'other_fields',
  cellIn({ record, shown }) {
    const unknown = Object.entries(record.values).filter(([name]) => !shown.has(name))
    return unknown.length === 0 ? '' : JSON.stringify(Object.fromEntries(unknown))
  },
}

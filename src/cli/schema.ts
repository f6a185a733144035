import type { Farm } from '../farm/farm.ts'
import { fieldsOf, isOnlyNewer, olderFields, recordTypeNames } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { type Field, type Fields, isMany } from '../fields/field.ts'
import { command, farmOptions } from './command.ts'
import { loadFarm } from './modules.ts'
import { flag } from './option.ts'
import { sayJson, sayTable } from './terminal.ts'

export const schema = command({
  words: 'schema',
  summary: 'Show what this farm can record: record types, bundles, fields',
  takes: {},
  options: { module: farmOptions.module, json: flag({ help: 'As JSON, for programs' }) },
  run: async ({ options }) => {
    const rows = rowsOf(await loadFarm(options.module ?? []))
    if (options.json) sayJson(rows)
    else sayTable(headings, rows.map(cellsOf))
  },
})

/** One field of one bundle; a field of a part has a path such as `quantity.measure`. */
interface FieldOfBundle {
  readonly record: string
  readonly bundle: string
  readonly field: string
  readonly label: string
  readonly kind: Field['kind']
  readonly many: boolean
  readonly required: boolean
  readonly readOnly: boolean
  readonly computed: boolean
  /** The 1.x interface does not show the field, or only in certain records. */
  readonly only?: 'newer'
  readonly refersTo?: string
  readonly choices?: readonly string[]
  readonly open?: boolean
}

const rowsOf = (farm: Farm): readonly FieldOfBundle[] =>
  recordTypeNames.flatMap((record) =>
    Object.entries(farm.records[record].bundles).flatMap(([bundle, own]) =>
      fieldRows(fieldsOf(farm.records[record], own), farm).map((row) => ({
        record: resourceNames[record],
        bundle,
        ...row,
        ...(isOnlyNewer(own) ? onlyNewer : {}),
      })),
    ),
  )

type FieldRow = Omit<FieldOfBundle, 'record' | 'bundle'>

const onlyNewer = { only: 'newer' } as const

/** Fields under their 1.x names; fields that 1.x does not have keep their stored name. */
function fieldRows(fields: Fields, farm: Farm): readonly FieldRow[] {
  const older = new Map([...olderFields(fields)].map(([name, { own, field }]) => [own, { name, field }]))
  return Object.entries(fields).flatMap(([own, kept]) => {
    const { name, field } = older.get(own) ?? { name: own, field: kept }
    const mark = isOnlyNewer(kept) ? onlyNewer : {}
    return [
      { field: name, ...traitsOf(field), ...detailsOf(field, farm), ...mark },
      ...(kept.kind === 'part'
        ? fieldRows(kept.fields, farm).map((row) => ({ ...row, field: `${name}.${row.field}`, ...mark }))
        : []),
    ]
  })
}

const traitsOf = (field: Field) => ({
  label: field.label,
  kind: field.kind,
  many: isMany(field),
  required: field.required === true,
  readOnly: field.readOnly === true,
  computed: field.computed !== undefined,
})

function detailsOf(field: Field, farm: Farm): Pick<FieldOfBundle, 'refersTo' | 'choices' | 'open'> {
  if (field.kind === 'choice')
    return { choices: farm.lists[field.list]?.map(({ value }) => value) ?? [], open: field.open === true }
  if (field.kind !== 'reference') return {}
  const within = field.within === undefined ? [] : [field.within].flat()
  return { refersTo: [resourceNames[field.to], ...within].join(' ') }
}

const headings = ['RECORD', 'BUNDLE', 'FIELD', 'KIND', 'MANY', 'NEEDED', 'SET BY', 'ONLY', 'VALUES']

const cellsOf = (row: FieldOfBundle): readonly string[] => [
  row.record,
  row.bundle,
  row.field,
  row.kind,
  row.many ? 'many' : '',
  row.required ? 'required' : '',
  row.computed ? 'computed' : row.readOnly ? 'the farm' : '',
  row.only ?? '',
  row.refersTo ?? [...(row.choices ?? []), ...(row.open ? ['…'] : [])].join(', '),
]

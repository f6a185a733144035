import { isTree, type Tree } from '../../src/fields/place.ts'
import { recordLists, type SourceType } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'

/** A field as the source describes it. */
export interface DescribedField {
  readonly label: string
  readonly type: string
  readonly isMany: boolean
  /** An empty value, as clients fill it in. */
  readonly template: unknown
}

export interface DescribedBundle {
  readonly label: string
  readonly plural: string
  readonly fields: ReadonlyMap<string, DescribedField>
}

/** Names in the description that differ from those on records. */
const onRecords: Readonly<Record<string, string>> = { animal_tag: 'tag' }

/** The source's description of a type, by bundle name. */
export function describedBundles(
  { info }: Pick<SourceFarm, 'info'>,
  type: SourceType,
): ReadonlyMap<string, DescribedBundle> {
  const bundles = treeIn(treeIn(info.resources)[recordLists[type].resource])
  return new Map(Object.entries(bundles).map(([name, bundle]) => [name, described(name, treeIn(bundle))]))
}

function described(name: string, { label, label_plural, fields }: Tree): DescribedBundle {
  const own = Object.entries(treeIn(fields)).map(([field, description]) => {
    const { label: called, type, data_schema } = treeIn(description)
    return [
      onRecords[field] ?? field,
      {
        label: textIn(called) ?? field,
        type: textIn(type) ?? '',
        isMany: Array.isArray(data_schema),
        template: Array.isArray(data_schema) ? data_schema[0] : data_schema,
      },
    ] as const
  })
  const shown = textIn(label) ?? name
  return { label: shown, plural: textIn(label_plural) ?? shown, fields: new Map(own) }
}

const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Machine names of the source's vocabularies, by id. */
export const vocabularyNames = ({ vocabularies }: Pick<SourceFarm, 'vocabularies'>): ReadonlyMap<number, string> =>
  new Map(
    [...vocabularies.all()].flatMap(([vid, { machine_name }]) =>
      typeof machine_name === 'string' ? [[vid, machine_name] as const] : [],
    ),
  )

/** The log type, asset type or vocabulary of a record. */
export function bundleOf(
  type: SourceType,
  record: Tree,
  vocabularies: ReadonlyMap<number, string>,
): string | undefined {
  if (type !== 'term') return textIn(record.type)
  const { vocabulary } = record
  const vid = Number(isTree(vocabulary) ? vocabulary.id : vocabulary)
  return vocabularies.get(vid)
}

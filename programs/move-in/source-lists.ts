import type { RecordTypeName } from '../../src/farm/farm.ts'
import { resourceNames } from '../../src/farm/resource-names.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import type { JsonLinesStore } from './json-lines-store.ts'

/** A list of the source, and the name of its id. */
export interface SourceList {
  readonly resource: string
  readonly idName: 'id' | 'tid' | 'uid' | 'vid'
  /** The name in progress messages. */
  readonly label: string
  /** True if it has a time of change. */
  readonly changes?: true
}

export const vocabularies: SourceList = { resource: resourceNames.vocabulary, idName: 'vid', label: 'vocabularies' }
export const users: SourceList = { resource: resourceNames.user, idName: 'uid', label: 'accounts' }

export const recordLists: Readonly<Record<'term' | 'asset' | 'log', SourceList>> = {
  term: { resource: resourceNames.term, idName: 'tid', label: 'terms' },
  asset: { resource: resourceNames.asset, idName: 'id', label: 'assets', changes: true },
  log: { resource: resourceNames.log, idName: 'id', label: 'logs', changes: true },
}

/** Record types in reading order: referenced types first. */
export const sourceTypes = ['term', 'asset', 'log'] as const satisfies readonly RecordTypeName[]
export type SourceType = (typeof sourceTypes)[number]

export const sourceLists: readonly SourceList[] = [vocabularies, users, ...sourceTypes.map((type) => recordLists[type])]

/** A number, written as a number or in digits. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^-?\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** The id of a reference. */
export const idIn = (value: unknown): number | undefined => numberIn(isTree(value) ? value.id : value)

/** The id of a file in a record: `{file: {id}}`, or on a Furrow its address. */
export function fileIn(item: unknown): number | undefined {
  if (typeof item === 'string') return numberIn(/\/file\/(\d{1,15})\/[^/]*$/.exec(item)?.[1])
  if (!isTree(item)) return undefined
  return isTree(item.file) ? idIn(item.file) : (idIn(item) ?? numberIn(item.fid))
}

/** Items of a list by id, and descriptions of those without a valid one. */
interface NumberedList {
  readonly items: ReadonlyMap<number, Tree>
  readonly unnumbered: readonly string[]
}

export function numbered(list: readonly unknown[], kind: SourceList): NumberedList {
  const items = new Map<number, Tree>()
  const unnumbered: string[] = []
  for (const item of list) {
    const given = isTree(item) ? (item[kind.idName] ?? item.id) : undefined
    const id = numberIn(given)
    if (isTree(item) && id !== undefined && id > 0) items.set(id, item)
    else if (kind !== users || (given ?? 0) !== 0) unnumbered.push(shownItem(item, given))
  }
  return { items, unnumbered }
}

/** Id and name as sent, such as `"abc" (North field)`. */
function shownItem(item: unknown, given: unknown): string {
  if (!isTree(item)) return shortened(JSON.stringify(item))
  return `${shortened(JSON.stringify(given) ?? 'none')} (${shortened(String(item.name ?? 'without a name'))})`
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text)

/** The last page number of a list. */
export function lastPageIn({ last }: Tree): number {
  const query = typeof last === 'string' ? (last.split('?')[1] ?? '') : ''
  const page = Number(new URLSearchParams(query).get('page') ?? 0)
  return Number.isSafeInteger(page) && page > 0 ? page : 0
}

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
  { info }: { readonly info: Tree },
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
export const vocabularyNames = ({
  vocabularies,
}: {
  readonly vocabularies: JsonLinesStore
}): ReadonlyMap<number, string> =>
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

import type { RecordTypeName } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { isTree } from '../../fields/place.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { findSetting, putSetting } from '../../storage/settings.ts'
import type { SheetOptions } from './import-options.ts'

/** What was said about a sheet with these headers. */
interface SheetMapping {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly headers: readonly string[]
  /** Fields by the keys of headers, as in `SheetOptions`. */
  readonly map: Readonly<Record<string, string>>
  readonly answers: Readonly<Partial<Record<RememberedAnswer, string>>>
}

/** Answers that hold for the next book, too; the year of a book does not. */
const rememberedAnswers = ['others', 'decimal', 'dates', 'perennial'] as const
type RememberedAnswer = (typeof rememberedAnswers)[number]

/** The sheet was recognised, and these headers are new in it. */
export interface RecalledSheet {
  readonly new_columns: readonly string[]
}

const settingName = 'sheet_mappings'
const mostKept = 50

/** The mappings that the farm keeps for a type of rows, the newest first. */
export async function mappingsFor(
  snapshot: Snapshot,
  { type, bundle }: Pick<SheetMapping, 'type' | 'bundle'>,
): Promise<readonly SheetMapping[]> {
  return (await allMappings(snapshot)).filter((one) => one.type === type && one.bundle === bundle)
}

async function allMappings(snapshot: Snapshot): Promise<readonly SheetMapping[]> {
  const tree: unknown = JSON.parse((await findSetting(snapshot, settingName)) ?? '[]')
  return Array.isArray(tree) ? tree.filter((one): one is SheetMapping => isTree(one) && Array.isArray(one.headers)) : []
}

interface RecalledOptions {
  readonly options: SheetOptions
  readonly remembered: RecalledSheet | undefined
}

/** The options of a sheet, with what was said about one that has most of its headers. What is said now comes first. */
export function recalled(
  options: SheetOptions,
  mappings: readonly SheetMapping[],
  headers: readonly string[],
): RecalledOptions {
  const keys = keysOf(headers)
  const found = mappings.find(
    (one) => one.headers.filter((key) => keys.includes(key)).length * 3 >= one.headers.length * 2,
  )
  if (found === undefined) return { options, remembered: undefined }
  const { decimal, dates } = found.answers
  const others = found.answers.others
  return {
    options: {
      ...options,
      map: new Map([...Object.entries(found.map), ...options.map]),
      others: options.others ?? (others === 'notes' || others === 'skip' ? others : undefined),
      decimal: options.decimal ?? (decimal === '.' || decimal === ',' ? decimal : undefined),
      dates: options.dates ?? (dates === 'dmy' || dates === 'mdy' || dates === 'ymd' ? dates : undefined),
      perennial: options.perennial ?? found.answers.perennial,
    },
    remembered: {
      new_columns: headers.filter((one) => one.trim() !== '' && !found.headers.includes(trimmedTextKey(one))),
    },
  }
}

const keysOf = (headers: readonly string[]): readonly string[] =>
  headers.map(trimmedTextKey).filter((key) => key !== '')

interface MappingToKeep {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly headers: readonly string[]
  readonly options: SheetOptions
}

/** Keeps what was said about a sheet, instead of what was said about its headers before. */
export async function keepMapping(tx: Transaction, { type, bundle, headers, options }: MappingToKeep): Promise<void> {
  const keys = keysOf(headers)
  const answers = Object.fromEntries(
    rememberedAnswers.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  const mapping: SheetMapping = { type, bundle, headers: keys, map: Object.fromEntries(options.map), answers }
  const isSame = (one: SheetMapping) =>
    one.type === type && one.bundle === bundle && one.headers.join('\n') === keys.join('\n')
  const others = (await allMappings(tx)).filter((one) => !isSame(one))
  await putSetting(tx, settingName, JSON.stringify([mapping, ...others].slice(0, mostKept)))
}

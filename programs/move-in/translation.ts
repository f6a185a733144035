import type { RecordType } from '../../src/farm/farm.ts'
import { fieldsOf, type OlderField, olderFields } from '../../src/farm/fields-of.ts'
import { type Field, type Fields, isMany } from '../../src/fields/field.ts'
import { valueLimits } from '../../src/fields/limits.ts'
import { isTree, placeAt, type Tree } from '../../src/fields/place.ts'
import { richTextFormat } from '../../src/fields/text.ts'
import type { Value, Values } from '../../src/fields/value.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import { type StoredRecord, unsetColumns } from '../../src/storage/records/stored.ts'
import { readField } from '../../src/wire-1x/read-field.ts'
import { type ChangeCase, isKeptAsText, type NoteChange } from './findings.ts'
import { type ReferenceIndex, ReferenceResolver } from './references.ts'
import { bundleOf, idIn, numberIn, type SourceType } from './source-lists.ts'
import { isEmpty, isKeptFormat, itemsOf, type NoteFormat, toInput } from './source-values.ts'
import { carriable, oneLine } from './written-text.ts'

interface TranslationContext {
  readonly known: ReferenceIndex
  readonly texts: NoteFormat
  readonly now: number
  readonly note: NoteChange
}

/** Members of a source record that are no fields. */
const beside = new Set([
  ...['id', 'tid', 'type', 'vocabulary', 'uid', 'created', 'changed', 'url', 'uri', 'resource', 'uuid', 'version'],
  ...['edit_url', 'node_count', 'parents_all'],
])

const isField = (name: string): boolean => !beside.has(name) && !/^feeds?_/.test(name)

/** Turns a record of the source into one of this farm, without loss. Values that would be refused here are noted. */
export class Translation {
  readonly #manner: TranslationContext
  readonly #resolved: ReferenceResolver

  constructor(manner: TranslationContext) {
    this.#manner = manner
    this.#resolved = new ReferenceResolver(manner.known)
  }

  record(type: SourceType, id: number, tree: Tree): StoredRecord {
    const { known, now, note } = this.#manner
    const recordType: RecordType = known.farm.records[type]
    const bundle = bundleOf(type, tree, known.vocabularies) ?? ''
    const own = recordType.bundles[bundle]
    if (own === undefined) throw new Error(`${type} ${id} is of the unknown type ${bundle}`)
    const fields = fieldsOf(recordType, own)
    const lines: string[] = []
    const told = (at: string, name: ChangeCase, was?: string) =>
      note({ about: `${type} ${id}`, at, case: name, ...(was === undefined ? {} : { was }) })
    const values: Record<string, Value> = { ...unsetColumns[type] }
    for (const [name, older] of olderFields(fields)) {
      if (!Object.hasOwn(tree, name) || !isField(name) || older.field.computed) continue
      const value = this.#value(older, { tree, name, bundle, lines, told })
      if (value !== undefined) values[older.own] = value
    }
    const created = numberIn(tree.created) ?? now
    fillRequired({ values, fields, lines, told, created, standIn: (vocabulary) => known.standIn(vocabulary) })
    const uid = idIn(tree.uid) ?? 0
    if (type !== 'term' && idIn(tree.uid) === undefined) told('uid', 'no-author')
    known.bundleOf('user', uid)
    return {
      type,
      id: known.numberHere(type, id),
      uuid: typeof tree.uuid === 'string' ? tree.uuid : newUuid(now),
      bundle,
      uid: known.numberHere('user', uid),
      created,
      changed: numberIn(tree.changed) ?? created,
      revision: 1,
      values: withTextNotes(values, fields, lines),
    }
  }

  #value({ field, choice }: OlderField, from: SourceField): Value | undefined {
    const { tree, name, bundle, lines, told } = from
    this.#tellAltered(field, tree[name], { at: name, told })
    if (name === 'name') return typeof tree.name === 'string' ? oneLine(tree.name) : undefined
    const faults: RefusalFault[] = []
    const input = toInput(field, tree[name], this.#manner.texts)
    // Every word passes here: words unknown to this farm are reported and kept.
    const words = () => wordsIn(input)
    const draft = readField(field, input, placeAt(name, { faults, words }))
    for (const fault of faults.filter(({ message }) => message !== 'is required')) {
      const was = shownAt(input, fault.field.slice(name.length))
      const isShape = field.kind === 'geometry' || /\bgeometry$/.test(fault.field)
      told(fault.field, isShape ? 'bad-geometry' : 'bad-value', was)
      lines.push(`${fault.field}: ${was}`)
    }
    if (draft === undefined) return undefined
    if (choice !== undefined) return draft === true ? choice.asYesNo.yes : choice.asYesNo.no
    return this.#resolved.value(field, draft, {
      at: name,
      own: bundle,
      note: (at, word, was) => {
        told(at, word, was)
        if (isKeptAsText(word) && was !== undefined) lines.push(`${at}: ${was}`)
      },
    })
  }

  /** Reports values that are stored in another form. */
  #tellAltered(field: Field, value: unknown, { at, told }: Spot): void {
    if (field.kind === 'attachment' && isTree(value) && isTree(value.file)) told(at, 'one-file')
    if (!isMany(field)) this.#tellAlteredOne(field, value, { at, told })
    else
      for (const [index, item] of itemsOf(value).entries())
        this.#tellAlteredOne(field, item, { at: `${at}[${index}]`, told })
  }

  #tellAlteredOne(field: Field, value: unknown, { at, told }: Spot): void {
    if (field.kind === 'part' && isTree(value))
      for (const [name, own] of Object.entries(field.fields))
        this.#tellAltered(own, value[name], { at: `${at}.${name}`, told })
    const text = isTree(value) && 'format' in value ? value.value : value
    if (typeof text === 'string' && !isAsSent(field, text)) told(at, 'control-characters', text)
    if (isTree(value) && typeof value.format === 'string' && text !== '' && !isFormatKept(field, value.format))
      told(at, 'other-format', value.format)
  }
}

/** Fills required fields. */
export function fillRequired({ values, fields, lines, told, created, standIn }: RequiredFields): void {
  const name = typeof values.name === 'string' ? values.name : ''
  if (name.trim() === '') {
    values.name = noName
    told('', 'no-name')
  } else if ([...name].length > valueLimits.nameLength) {
    values.name = [...name].slice(0, valueLimits.nameLength).join('')
    lines.push(`name: ${name}`)
    told('', 'long-name')
  } else if (/&(?:amp|lt|gt|quot|#0?39);/.test(name)) told('', 'escaped-name', name)
  for (const [field, description] of Object.entries(fields)) {
    if (!description.required || values[field] !== undefined || !isField(field)) continue
    if (description.kind === 'timestamp') {
      values[field] = created
      told(field, 'no-time')
    } else if (description.kind === 'reference' && description.to === 'term' && Array.isArray(description.within)) {
      const term = standIn(String(description.within[0]))
      values[field] = description.many ? [term] : term
      told(field, 'no-term')
    } else told(field, 'required-missing')
  }
}

function isAsSent({ kind }: Field, text: string): boolean {
  if (kind === 'text' || kind === 'choice') return oneLine(text) === text
  return (kind !== 'long-text' && kind !== 'rich-text') || carriable(text) === text
}

function isFormatKept(field: Field, format: string): boolean {
  if (field.kind === 'rich-text') return isKeptFormat(format)
  return !(field.kind === 'long-text' && field.takesRich) || format === richTextFormat
}

const noName = '(no name)'
export const unknownName = '(unknown)'

export type NoteAt = (at: string, name: ChangeCase, was?: string) => void

interface Spot {
  readonly at: string
  readonly told: NoteAt
}

interface SourceField {
  readonly tree: Tree
  readonly name: string
  readonly bundle: string
  /** Text versions of values that cannot be stored as they are. */
  readonly lines: string[]
  readonly told: NoteAt
}

interface RequiredFields extends Pick<SourceField, 'lines' | 'told'> {
  readonly values: Record<string, Value>
  readonly fields: Fields
  readonly created: number
  /** The placeholder term of a vocabulary. */
  readonly standIn: (vocabulary: string) => number
}

export function wordsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input]
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(wordsIn) : []
}

/** The value at a path such as `[1].measure`, as sent. */
export function shownAt(input: unknown, path: string): string {
  let at: unknown = input
  for (const [, index, name] of path.matchAll(/\[(\d+)\]|\.([^.[\]]+)/g)) {
    const inside = typeof at === 'object' && at !== null ? (at as Tree)[index ?? name ?? ''] : undefined
    if (inside === undefined) break
    at = inside
  }
  return typeof at === 'string' ? at : JSON.stringify(at)
}

/** True if the source has a value that this farm must keep. */
export const hasContent = (name: string, value: unknown): boolean => isField(name) && !isEmpty(value)

const heading = 'From farmOS, as text:'

/** Appends text to the data of a record, or to its description if it has no data. */
export function withTextNotes(values: Values, fields: Fields, lines: readonly string[]): Values {
  if (lines.length === 0) return values
  const name = fields.data?.kind === 'long-text' ? 'data' : 'description'
  const text = withLines(values[name], lines)
  return { ...values, [name]: fields[name]?.kind === 'rich-text' ? { value: text, format: 'farm_format' } : text }
}

export function withLines(value: unknown, lines: readonly string[]): string {
  const before = typeof value === 'string' ? value : ''
  return isObject(before)
    ? withMember(before, lines)
    : [before, heading, ...lines].filter((line) => line !== '').join('\n')
}

/** Programs store JSON there, which must stay valid. */
function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function withMember(text: string, lines: readonly string[]): string {
  const before = text.trimEnd().slice(0, -1).trimEnd()
  return `${before}${before.endsWith('{') ? '' : ','}"from_farmos":${JSON.stringify(lines)}}`
}

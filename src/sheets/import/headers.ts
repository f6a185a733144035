import type { RecordType } from '../../farm/farm.ts'
import { fieldsOf, type OlderField, type OlderPart, olderFields } from '../../farm/fields-of.ts'
import { identityWords } from '../../farm/query-words.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { isMany, isWritable } from '../../fields/field.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import { nearTo } from '../../fields/suggestions.ts'
import { text } from '../../fields/text.ts'
import { notLookedAt } from '../../wire-1x/record-draft.ts'
import { fieldLabel } from '../../words/labelled.ts'
import type { Labels } from '../../words/words.ts'
import { type HeaderTarget, type MeantColumn, moreNotes } from './column-subjects.ts'
import type { SheetOptions } from './import-options.ts'
import { isAmount, type RowFault } from './read-cell.ts'

/** One column of a sheet, and the field it maps to. */
export interface InputColumn extends HeaderTarget {
  /** The header text. */
  readonly header: string
  /** Cell index, from 0. */
  readonly at: number
  /** Why it is taken for that. */
  readonly because: ColumnReason
}

/** The sender says so, a field is called so, people call it so, or its cells say so. */
export type ColumnReason = 'said' | 'name' | 'synonym' | 'content'

interface HeadRow {
  readonly row: number
  readonly cells: readonly string[]
}

type Targets = ReadonlyMap<string, HeaderTarget>

interface HeaderContext {
  readonly targets: Targets
  /** Targets of other bundles: allowed if no row has a value in the column. */
  readonly others?: Targets
  readonly options: Pick<SheetOptions, 'map' | 'others'>
  /** What a column stands for that is mapped to a subject such as `crop`. */
  readonly subject?: (name: string, targets: Targets) => HeaderTarget | undefined
  /** Where nobody says otherwise: what headers stand for by the words that people use, or by their cells. */
  readonly guess?: (header: string, at: number) => ColumnGuess | undefined
}

/** What a header stands for by its word or its cells. Of two for one field the word that comes first in the table counts. */
export interface ColumnGuess extends MeantColumn {
  readonly because: ColumnReason
}

/** Maps headers to fields: by the user's map, by field name, or by label. Collects faults. */
export function columnsOfHeaders(head: HeadRow, meaning: HeaderContext, faults: RowFault[]): readonly InputColumn[] {
  const { targets, others = targets, options, guess = () => undefined } = meaning
  const columns: InputColumn[] = []
  const targetsMapped = (all: Targets, mapped: string) => {
    const named = targetsNamed(all, mapped)
    return named.length > 0 ? named : [meaning.subject?.(mapped, all)].flatMap((target) => target ?? [])
  }
  const fault = (header: string, message: string, allowed?: readonly string[]) =>
    faults.push({
      row: head.row,
      column: header,
      value: header,
      message,
      ...(allowed === undefined ? {} : { allowed }),
    })
  const taken = new Map<string, string>()
  // In a sheet of this farm a computed column says nothing new; in another one it says where an animal is.
  const isOwnSheet = head.cells.some((header) => ['uuid', 'version'].includes(header.trim().toLowerCase()))
  const headers = head.cells.map((header, at) => ({ header, at, mapped: options.map.get(trimmedTextKey(header)) }))
  const meant = headers.flatMap(({ header: written, at, mapped: said }) => {
    const isBare = written.trim() === ''
    const header = isBare ? columnNumbered(at) : written
    const mapped = isBare ? options.map.get(trimmedTextKey(header)) : said
    if (mapped === '' || (isBare && mapped === undefined && guess(written, at) === undefined)) return []
    const called = (all: Targets) => (mapped === undefined ? targetsCalled(all, header) : targetsMapped(all, mapped))
    const own = called(targets)
    const known = own.length === 0 ? called(others) : own
    const isOtherWord =
      known.length === 0 ||
      (known[0]?.name === 'asset' && !targetsNamed(targets, header).length) ||
      (known[0]?.use === 'computed' && !isOwnSheet)
    const people = mapped === undefined ? guess(header, at) : undefined
    // *Labor* is a label, too: its cells say more.
    const saysKinds = people?.targets[0].use === 'bundle'
    // A crop is called like the planting that it stands for.
    const isTopic = people?.targets[0].topic !== undefined && people.targets[0].topic.subject !== 'more-notes'
    const guessed = saysKinds || (isOtherWord && (known.length === 0 || isTopic)) ? people : undefined
    const because: ColumnReason = mapped !== undefined ? 'said' : (guessed?.because ?? 'name')
    const [found, rest, rank] =
      guessed === undefined ? [known, [], -1] : [guessed.targets.slice(0, 1), guessed.targets.slice(1), guessed.rank]
    return [{ header, at, mapped, found, rest, rank, because }]
  })
  const parts = new Set(meant.flatMap(({ found: [first] }) => first?.member?.of ?? []))
  const elsewhere = meant.some(({ found }) => found.length > 0) ? '' : otherRow
  for (const { header, at, mapped, found, rest, because } of meant.toSorted((a, b) => a.rank - b.rank)) {
    const [first, second] = found
    const free = because === 'synonym' && first !== undefined && taken.has(first.name) ? rest : []
    const target = free.find(({ name }) => !taken.has(name)) ?? (first && valueBesideMembers(first, parts, targets))
    if (target === undefined && mapped === undefined && options.others !== undefined) {
      if (options.others === 'notes') columns.push({ ...moreNotes(header), header, at, because: 'said' })
    } else if (target === undefined)
      fault(header, unknownHeader(header, mapped) + elsewhere, nearTo(mapped ?? header, wordsOf(targets)).slice(0, 5))
    else if (second !== undefined)
      fault(
        header,
        'may stand for several fields; use the name of one',
        found.map(({ name }) => name),
      )
    else if (target.topic?.subject === 'more-notes') columns.push({ ...target, header, at, because })
    else if (
      taken.has(target.name) &&
      (because === 'synonym' || (because === 'said' && target.name === notesOf(targets)))
    )
      columns.push({ ...moreNotes(header), header, at, because })
    else if (taken.has(target.name))
      fault(header, `stands for ${target.name}, and so does ${JSON.stringify(taken.get(target.name))}`)
    else {
      taken.set(target.name, header)
      columns.push({ ...target, header, at, because })
    }
  }
  noteDoubled(columns, fault)
  return columns.sort((one, other) => one.at - other.at)
}

/** What a column is called that has no header. */
export const columnNumbered = (at: number): string => `column ${at + 1}`

/** The field that holds the notes of a record. */
const notesOf = (targets: Targets): string => (targets.has('notes') ? 'notes' : 'description')

/** No header is known. */
const otherRow = '. If the headers stand in another row, say which it is by head_row'

const unknownHeader = (header: string, mapped: string | undefined): string =>
  mapped === undefined
    ? 'is not the name or the label of a field; rename it, or map it to a field, or to nothing to leave it out'
    : `is mapped to ${JSON.stringify(mapped)}, which is not the name of a field (${JSON.stringify(header)})`

/** A column of an amount beside a column of its unit holds the value of that amount. */
function valueBesideMembers(target: HeaderTarget, parts: ReadonlySet<string>, targets: Targets): HeaderTarget {
  const { name, field } = target
  const isSplit = field.kind === 'part' && isAmount(field) && parts.has(name)
  return (isSplit ? targets.get(`${name}.value`) : undefined) ?? target
}

/** A part is in one column, or its members in several, not both. */
function noteDoubled(columns: readonly InputColumn[], fault: (header: string, message: string) => void): void {
  for (const { member, header } of columns) {
    const whole = columns.find(({ name }) => name === member?.of)
    if (whole !== undefined)
      fault(header, `is a part of ${whole.name}, which has a column of its own; keep one of them`)
  }
}

const targetsNamed = (targets: Targets, name: string): readonly HeaderTarget[] =>
  [targets.get(name.trim().toLowerCase()) ?? targets.get(name.trim())].flatMap((target) => target ?? [])

/**
 * Precedence: field name, label of the catalogue, label of another language. A label can be the name of another field.
 */
function targetsCalled(targets: Targets, header: string): readonly HeaderTarget[] {
  const key = trimmedTextKey(header)
  const among = (labelsOf: (target: HeaderTarget) => ReadonlySet<string>) =>
    [...targets.values()].filter((target) => [...labelsOf(target)].some((label) => trimmedTextKey(label) === key))
  const found = [targetsNamed(targets, header), among(({ labels }) => labels), among(({ translated }) => translated)]
  return found.find((some) => some.length > 0) ?? []
}

const wordsOf = (targets: Targets): readonly string[] =>
  [...targets.values()]
    .filter(({ use }) => use !== 'nothing')
    .flatMap(({ name, labels }) => [name, ...labels].slice(0, 2))

/** Everything that a column of records of these bundles can stand for, by name. */
export function headerTargets(
  type: RecordType,
  bundles: readonly string[],
  languages: readonly Labels[],
): ReadonlyMap<string, HeaderTarget> {
  const targets = new Map<string, HeaderTarget>()
  const add = (target: TargetWithLabels, translated: readonly string[] = []) => {
    const before = targets.get(target.name)
    if (before === undefined) targets.set(target.name, { ...target, translated: new Set(translated) })
    for (const label of target.labels) before?.labels.add(label)
    for (const label of translated) before?.translated.add(label)
  }
  for (const bundle of bundles) {
    const own = type.bundles[bundle]
    if (own === undefined) continue
    const scopes = [`${bundle}.`, `${resourceNames[type.name]}.`, '']
    for (const [name, older] of olderFields(fieldsOf(type, own)))
      for (const one of targetsFor(type, name, older)) add(one, labelsIn(languages, one, scopes))
  }
  for (const name of identityWords) add({ name, use: name, field: text(name), labels: new Set([name]) })
  for (const name of notLookedAt) {
    if (!targets.has(name)) add({ name, use: 'nothing', field: text(name), labels: new Set([name]) })
  }
  return targets
}

type TargetWithLabels = Omit<HeaderTarget, 'translated'>

function labelsIn(
  languages: readonly Labels[],
  { name, member }: TargetWithLabels,
  scopes: readonly string[],
): string[] {
  return languages.flatMap(({ fields }) => {
    const label = fieldLabel(fields, member?.of ?? name, scopes)
    if (label === undefined || member === undefined) return label ?? []
    const inner = fieldLabel(fields, member.name, [`${member.of}.`, ''])
    return inner === undefined ? [] : [`${label}: ${inner}`, `${label} ${inner}`]
  })
}

function targetsFor(type: RecordType, name: string, { field }: OlderField): readonly TargetWithLabels[] {
  const labels = () => new Set([field.label, `${field.label} (${name})`])
  if (name === type.idName) return [{ name: 'id', use: 'id', field, labels: labels().add(name) }]
  if (name === type.bundleName) return [{ name, use: 'bundle', field, labels: labels() }]
  if (name === 'created' || name === 'uid') return [{ name, use: name, field, labels: labels() }]
  if (field.computed !== undefined) return [{ name, use: 'computed', field, labels: labels() }]
  if (!isWritable(field)) return [{ name, use: 'nothing', field, labels: labels() }]
  const whole: TargetWithLabels = { name, use: 'value', field, labels: labels() }
  return field.kind === 'part' ? [whole, ...targetsOfMembers(name, field)] : [whole]
}

const targetsOfMembers = (of: string, part: OlderPart): readonly TargetWithLabels[] =>
  Object.entries({ ...part.fields, ...part.requested }).map(([name, field]) => {
    const label = `${part.label}: ${field.label}`
    return {
      name: `${of}.${name}`,
      use: 'value',
      field,
      member: { of, part, name },
      labels: new Set([label, `${part.label} ${field.label}`, `${label} (${of}.${name})`]),
    }
  })

/** Names of repeated parts. */
export const repeatedParts = (targets: ReadonlyMap<string, HeaderTarget>): readonly string[] =>
  [...targets.values()].flatMap(({ name, field }) => (field.kind === 'part' && isMany(field) ? [name] : []))

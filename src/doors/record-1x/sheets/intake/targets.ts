import type { RecordType } from '../../../../farm/farm.ts'
import { fieldsOf } from '../../../../farm/fields-of.ts'
import { type OlderField, olderFields } from '../../../../farm/older-fields.ts'
import { identityWords } from '../../../../farm/query-words.ts'
import { resourceNames } from '../../../../farm/resource-names.ts'
import { type Field, isMany, isWritable, type PartField } from '../../../../fields/field.ts'
import { text } from '../../../../fields/text.ts'
import { fieldLabel } from '../../../../words/labelled.ts'
import type { Labels } from '../../../../words/words.ts'
import { notLookedAt } from '../../intake/record-draft.ts'

/**
 * What a column is for: a value of the record, which record it is, who wrote it, or nothing, because nobody can write it.
 */
type Use = 'value' | 'id' | 'bundle' | 'uuid' | 'version' | 'created' | 'uid' | 'computed' | 'nothing'

/** What a header can stand for. */
export interface Target {
  /** As records show it; inside of a part behind its name: `movement.area`. */
  readonly name: string
  readonly use: Use
  readonly field: Field
  /** Where the column is one member of a part: the part, and the member. */
  readonly member?: { readonly of: string; readonly part: PartField; readonly name: string }
  /** The labels that the catalogue has for it. */
  readonly labels: Set<string>
  /** What other languages call it. */
  readonly translated: Set<string>
}

/** Everything that a column of records of these bundles can stand for, by name. */
export function targetsOf(
  type: RecordType,
  bundles: readonly string[],
  languages: readonly Labels[],
): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>()
  const add = (target: Untranslated, translated: readonly string[] = []) => {
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

type Untranslated = Omit<Target, 'translated'>

function labelsIn(languages: readonly Labels[], { name, member }: Untranslated, scopes: readonly string[]): string[] {
  return languages.flatMap(({ fields }) => {
    const label = fieldLabel(fields, member?.of ?? name, scopes)
    if (label === undefined || member === undefined) return label ?? []
    const inner = fieldLabel(fields, member.name, [`${member.of}.`, ''])
    return inner === undefined ? [] : [`${label}: ${inner}`, `${label} ${inner}`]
  })
}

function targetsFor(type: RecordType, name: string, { field }: OlderField): readonly Untranslated[] {
  const labels = () => new Set([field.label, `${field.label} (${name})`])
  if (name === type.idName) return [{ name: 'id', use: 'id', field, labels: labels().add(name) }]
  if (name === type.bundleName) return [{ name, use: 'bundle', field, labels: labels() }]
  if (name === 'created' || name === 'uid') return [{ name, use: name, field, labels: labels() }]
  if (field.computed !== undefined) return [{ name, use: 'computed', field, labels: labels() }]
  if (!isWritable(field)) return [{ name, use: 'nothing', field, labels: labels() }]
  const whole: Untranslated = { name, use: 'value', field, labels: labels() }
  return field.kind === 'part' ? [whole, ...membersOf(name, field)] : [whole]
}

const membersOf = (of: string, part: PartField): readonly Untranslated[] =>
  Object.entries(part.fields).map(([name, field]) => {
    const label = `${part.label}: ${field.label}`
    return {
      name: `${of}.${name}`,
      use: 'value',
      field,
      member: { of, part, name },
      labels: new Set([label, `${part.label} ${field.label}`, `${label} (${of}.${name})`]),
    }
  })

/** The names of the parts that a record can have several of. */
export const repeatedParts = (targets: ReadonlyMap<string, Target>): readonly string[] =>
  [...targets.values()].flatMap(({ name, field }) => (field.kind === 'part' && isMany(field) ? [name] : []))

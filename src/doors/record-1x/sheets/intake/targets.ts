import type { RecordType } from '../../../../farm/farm.ts'
import { fieldsOf } from '../../../../farm/fields-of.ts'
import { type OlderField, olderFields } from '../../../../farm/older-fields.ts'
import { identityWords } from '../../../../farm/query-words.ts'
import { type Field, isMany, isWritable, type PartField } from '../../../../fields/field.ts'
import { text } from '../../../../fields/text.ts'
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
  /** The labels that the catalogue has for it, in its languages. */
  readonly labels: Set<string>
}

/** Everything that a column of records of these bundles can stand for, by name. */
export function targetsOf(type: RecordType, bundles: readonly string[]): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>()
  const add = (target: Target) => {
    const before = targets.get(target.name)
    if (before === undefined) targets.set(target.name, target)
    else for (const label of target.labels) before.labels.add(label)
  }
  for (const bundle of bundles) {
    const own = type.bundles[bundle]
    if (own === undefined) continue
    for (const [name, older] of olderFields(fieldsOf(type, own)))
      for (const one of targetsFor(type, name, older)) add(one)
  }
  for (const name of identityWords) add({ name, use: name, field: text(name), labels: new Set([name]) })
  for (const name of notLookedAt) {
    if (!targets.has(name)) add({ name, use: 'nothing', field: text(name), labels: new Set([name]) })
  }
  return targets
}

function targetsFor(type: RecordType, name: string, { field }: OlderField): readonly Target[] {
  const labels = () => new Set([field.label, `${field.label} (${name})`])
  if (name === type.idName) return [{ name: 'id', use: 'id', field, labels: labels().add(name) }]
  if (name === type.bundleName) return [{ name, use: 'bundle', field, labels: labels() }]
  if (name === 'created' || name === 'uid') return [{ name, use: name, field, labels: labels() }]
  if (field.computed !== undefined) return [{ name, use: 'computed', field, labels: labels() }]
  if (!isWritable(field)) return [{ name, use: 'nothing', field, labels: labels() }]
  const whole: Target = { name, use: 'value', field, labels: labels() }
  return field.kind === 'part' ? [whole, ...membersOf(name, field)] : [whole]
}

const membersOf = (of: string, part: PartField): readonly Target[] =>
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

import type { ComponentChildren, JSX } from 'preact'
import { bundleOf } from '../../look/names.ts'
import type { KeptRecord } from '../../store/record.ts'
import { shown } from './shown.tsx'

export interface Fact {
  readonly label: string
  readonly words: ComponentChildren
}

/** Told elsewhere on every page: the name above, who and when below. */
const told = [
  'id',
  'tid',
  'uuid',
  'version',
  'name',
  'type',
  'vocabulary',
  'uid',
  'created',
  'changed',
  'archived',
  'url',
  'weight',
]

interface Telling {
  /** Fields that the page tells in its own way, and elsewhere. */
  readonly elsewhere: readonly string[]
  /** Fields that it tells here, but otherwise. */
  readonly otherwise?: Readonly<Record<string, (value: unknown, label: string) => readonly Fact[]>>
}

/** All fields of a record that say something, by the catalogue and in its order. */
export function factsOf(record: KeptRecord, { elsewhere, otherwise = {} }: Telling): readonly Fact[] {
  const without = new Set([...told, ...elsewhere])
  return Object.entries(bundleOf(record)?.fields ?? {}).flatMap(([name, field]) => {
    const value = record.fields[name]
    if (without.has(name) || field.computed !== undefined || value === undefined) return []
    const facts = otherwise[name]?.(value, field.label)
    return facts ?? factOf(field.label, shown(value, field))
  })
}

export function factOf(label: string, words: ComponentChildren): readonly Fact[] {
  return words === null || words === undefined || words === '' ? [] : [{ label, words }]
}

/** "Species/breed" may go on in the next line behind its slash. */
export const breakable = (label: string): string => label.replaceAll('/', '/\u200b')

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null
  return (
    <dl class="facts">
      {facts.map(({ label, words }) => (
        <div key={label}>
          <dt>{breakable(label)}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}

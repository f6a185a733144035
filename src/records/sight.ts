import type { Farm, RecordType } from '../farm/farm.ts'
import { allFieldsOf, fieldsOf } from '../farm/fields-of.ts'
import type { Field, Fields } from '../fields/field.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import { Refusal } from '../refusal.ts'
import type { Reading } from '../storage/database.ts'
import { bytesOf, filesByIds, type StoredFile } from '../storage/file-rows.ts'
import { termNames } from '../storage/records/record-rows.ts'
import type { Stored } from '../storage/records/stored.ts'
import { ancestorsOf, lineageOf } from './ancestry.ts'
import { computedOf } from './computed.ts'
import type { Keeping } from './keeping.ts'

/** What a reader wants beside the records themselves. */
export interface Extras {
  /** Computed fields that are shown only on request. */
  readonly with: readonly string[]
  readonly files: 'inline' | 'link'
}

/** Records as they are to be shown, with everything that showing them takes. */
export interface Sight {
  readonly seen: readonly Seen[]
  readonly termNames: ReadonlyMap<number, string>
  readonly files: ReadonlyMap<number, StoredFile>
  /** The bytes of the files, by id, where they are wanted inline. */
  readonly bytes: ReadonlyMap<number, Buffer>
}

export interface Seen {
  readonly record: Stored
  readonly fields: Fields
  readonly computed: Values
  /** A term and those above it, nearest first. */
  readonly lineage: readonly number[]
}

interface Viewing {
  readonly keeping: Keeping
  readonly now: number
  readonly extras: Extras
}

export async function sightOf(
  rows: Reading,
  records: readonly Stored[],
  { keeping, now, extras }: Viewing,
): Promise<Sight> {
  const { farm } = keeping
  const [first] = records
  const asked = first === undefined ? [] : shownComputed(farm.records[first.type], extras)
  const computed = await computedOf(rows, records, { farm, now, asked })
  const terms = records.filter((record) => record.type === 'taxonomy_term')
  const known = await ancestorsOf(rows, terms)
  const seen = records.map(
    (record): Seen => ({
      record,
      fields: shownFields(farm, record, extras),
      computed: computed.get(record.id) ?? {},
      lineage: record.type === 'taxonomy_term' ? lineageOf(record, known) : [],
    }),
  )
  const targets = targetsIn(seen)
  const files = await filesByIds(rows, [...targets.files])
  return {
    seen,
    termNames: await termNames(rows, [...targets.terms]),
    files,
    bytes: extras.files === 'inline' ? await bytesOfAll(rows, files) : new Map(),
  }
}

const isShown = (name: string, field: Field, extras: Extras): boolean => !field.onRequest || extras.with.includes(name)

const shownComputed = (type: RecordType, extras: Extras): readonly string[] =>
  [...allFieldsOf(type)].flatMap(([name, { field }]) => (field.computed && isShown(name, field, extras) ? [name] : []))

function shownFields(farm: Farm, record: Stored, extras: Extras): Fields {
  const type = farm.records[record.type]
  const bundle = type.bundles[record.bundle]
  const fields = bundle === undefined ? type.properties : fieldsOf(type, bundle)
  return Object.fromEntries(Object.entries(fields).filter(([name, field]) => isShown(name, field, extras)))
}

interface Targets {
  readonly terms: Set<number>
  readonly files: Set<number>
}

function targetsIn(seen: readonly Seen[]): Targets {
  const targets: Targets = { terms: new Set(), files: new Set() }
  for (const { record, fields, computed, lineage } of seen) {
    collect(fields, { ...record.values, ...computed }, targets)
    for (const term of lineage) targets.terms.add(term)
  }
  return targets
}

function collect(fields: Fields, values: Readonly<Record<string, Value | undefined>>, targets: Targets): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field === undefined || value === undefined) continue
    const all = (Array.isArray(value) ? value : [value]) as readonly Value[]
    if (field.kind === 'part') for (const part of all) collect(field.fields, part as PartValue, targets)
    else if (field.kind === 'attachment') for (const id of all) targets.files.add(Number(id))
    else if (field.kind === 'reference' && field.to === 'taxonomy_term')
      for (const id of all) targets.terms.add(Number(id))
  }
}

const inlineBytes = 32 * 1_048_576

async function bytesOfAll(rows: Reading, files: ReadonlyMap<number, StoredFile>): Promise<ReadonlyMap<number, Buffer>> {
  const together = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  if (together > inlineBytes) {
    throw new Refusal(
      'bad-query',
      'These records have more than 32 MiB of files: narrow the list, or ask for files=link.',
    )
  }
  const bytes = new Map<number, Buffer>()
  for (const file of files.values()) bytes.set(file.id, await bytesOf(rows, file.sha256))
  return bytes
}

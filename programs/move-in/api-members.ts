import { isRelationship, type Member, type ResourceType } from '../../src/farm/newer/resource-type.ts'
import { type Fields, isMany } from '../../src/fields/field.ts'
import { placeAt } from '../../src/fields/place.ts'
import { secondsIn } from '../../src/fields/time.ts'
import type { Draft, Value } from '../../src/fields/value.ts'
import type { RefusalFault } from '../../src/refusal.ts'
import type { ApiIndex, NumberedTarget } from './api-index.ts'
import { type SourceResource, type SourceTarget, targetsOf } from './api-resources.ts'
import { readNewerAttribute } from './api-values.ts'
import { type ChangeCase, isKeptAsText } from './findings.ts'
import { ReferenceResolver } from './references.ts'
import { type NoteAt, shownAt, wordsIn } from './translation.ts'

/** A resource while it becomes a record. */
export interface ResourceInWork {
  readonly resource: SourceResource
  readonly type: ResourceType
  readonly bundle: string
  readonly fields: Fields
  readonly values: Record<string, Value>
  readonly lines: string[]
  readonly told: NoteAt
}

/** Puts the members of a resource into the fields of a record. */
export class MemberReader {
  readonly #known: ApiIndex
  readonly #resolver: ReferenceResolver

  constructor(known: ApiIndex) {
    this.#known = known
    this.#resolver = new ReferenceResolver(known)
  }

  take(member: Member, translated: ResourceInWork): void {
    const { values, fields } = translated
    const { source } = member
    if (isRelationship(member)) {
      const targets = this.targets(translated, member.name)
      const of = (kind: NumberedTarget['of']) => targets.flatMap((one) => (one.of === kind ? [one.id] : []))
      if (source.of === 'two fields') {
        this.put(translated, source.assets, of('asset'))
        this.put(translated, source.areas, of('term'))
      } else if (source.of === 'field')
        this.put(
          translated,
          source.field,
          targets.map(({ id }) => id),
        )
    } else if (source.of === 'field' && Object.hasOwn(fields, source.field)) {
      const input = this.#input(translated, member)
      const value = this.attribute(translated, member)
      if (source.opposite && input !== undefined && input !== null && value !== true) values[source.field] = true
      else if (!source.opposite && value !== undefined) values[source.field] = value
    }
  }

  #input({ resource: { attributes } }: ResourceInWork, { name, alias }: Member): unknown {
    return attributes[name] ?? (alias === undefined ? undefined : attributes[alias])
  }

  attribute(translated: ResourceInWork, member: Member): Value | undefined {
    const input = this.#input(translated, member)
    const { told } = translated
    const { farm } = this.#known
    const draft = this.read(translated, { name: member.name, input }, (place) =>
      readNewerAttribute(member.field, input, { farm, place, told }),
    )
    return draft === undefined
      ? undefined
      : this.#resolver.value(member.field, draft, this.#spot(translated, member.name))
  }

  /** Faults become text among the data of the record. */
  read<T>(
    { lines, told }: ResourceInWork,
    { name, input }: { readonly name: string; readonly input: unknown },
    read: (place: ReturnType<typeof placeAt>) => T,
  ): T {
    const faults: RefusalFault[] = []
    const draft = read(placeAt(name, { faults, words: () => wordsIn(input) }))
    for (const fault of faults.filter(({ message }) => message !== 'is required')) {
      const was = shownAt(input, fault.field.slice(name.length))
      told(fault.field, /geometry/.test(fault.field) ? 'bad-geometry' : 'bad-value', was)
      lines.push(`${fault.field}: ${was}`)
    }
    return draft
  }

  #spot({ bundle, lines, told }: ResourceInWork, at: string) {
    return {
      at,
      own: bundle,
      note: (inside: string, word: ChangeCase, was?: string) => {
        told(inside, word, was)
        if (isKeptAsText(word) && was !== undefined) lines.push(`${inside}: ${was}`)
      },
    }
  }

  /** The targets of a relationship here; those that are gone become text. */
  targets(translated: ResourceInWork, name: string): readonly NumberedTarget[] {
    const { note } = this.#spot(translated, name)
    return targetsOf(translated.resource, name).flatMap((target: SourceTarget) => {
      const found = this.#known.target(target)
      if (found === undefined) note(name, 'dangling', shownTarget(target))
      return found ?? []
    })
  }

  /** References and files of one field, through the same checks as those of generation 1. */
  put(translated: ResourceInWork, name: string, ids: readonly number[]): void {
    const field = Object.hasOwn(translated.fields, name) ? translated.fields[name] : undefined
    if (field === undefined || ids.length === 0) return
    const drafts = ids.map((id): Draft => (field.kind === 'attachment' ? { file: 'kept', id } : { ref: 'id', id }))
    const draft = isMany(field) ? drafts : drafts[0]
    const spot = this.#spot(translated, field.newer?.name ?? name)
    const value = draft === undefined ? undefined : this.#resolver.value(field, draft, spot)
    if (value !== undefined) translated.values[name] = value
  }
}

export const shownTarget = ({ type, id, meta }: SourceTarget): string =>
  `${type} ${id === 'missing' ? String(meta.drupal_internal__target_id ?? id) : id}`

/** 3.x says a time, 4.x yes or no and a time beside it. */
export function archivedSince(
  { status, archived, last_archived: last }: SourceResource['attributes'],
  changed: number,
): number {
  const when = secondsIn(last) ?? changed
  if (archived === true) return when
  if (typeof archived === 'string' || typeof archived === 'number') return secondsIn(archived) ?? when
  return status === 'archived' ? when : 0
}

import { randomUUID } from 'node:crypto'
import { olderWords } from '../../farm/fields-of.ts'
import type { Field, Fields, PartField, ReferenceField } from '../../fields/field.ts'
import type { Draft, FileDraft, PartDraft, ReferenceDraft, Value } from '../../fields/value.ts'
import type { Case } from './changes.ts'
import type { Known } from './known.ts'

/** Where a value stands, and what is told of it there. */
interface Spot {
  readonly at: string
  /** The bundle of the record. */
  readonly own: string
  note(at: string, name: Case, was?: string): void
}

/** Drafts as values: each thing that is referred to is looked for. */
export class Resolved {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  value(field: Field, draft: Draft, spot: Spot): Value | undefined {
    if (!Array.isArray(draft)) return this.#one(field, draft, spot)
    const values = draft.flatMap((item, index) => {
      const value = this.#one(field, item, { ...spot, at: `${spot.at}[${index}]` })
      return value === undefined ? [] : [value]
    })
    const once = field.kind === 'reference' || field.kind === 'attachment' ? [...new Set(values)] : values
    if (once.length < values.length) spot.note(spot.at, 'twice')
    return once.length === 0 ? undefined : once
  }

  #one(field: Field, draft: Draft, spot: Spot): Value | undefined {
    switch (field.kind) {
      case 'reference':
        return this.#reference(field, draft as ReferenceDraft, spot)
      case 'attachment':
        return this.#file(field.accepts, draft as FileDraft, spot)
      case 'part':
        return this.#part(field, draft as PartDraft, spot)
      case 'yes-no':
        return draft === true ? true : undefined
      case 'choice':
        if (!field.open && !olderWords(this.#known.farm, field.list).includes(String(draft)))
          spot.note(spot.at, 'foreign-word', String(draft))
        return String(draft)
      default:
        // Every other kind's draft is its value.
        return draft as Value
    }
  }

  #reference(field: ReferenceField, draft: ReferenceDraft, spot: Spot): number | undefined {
    if (draft.ref !== 'id') return undefined
    const bundle = this.#known.bundleOf(field.to, draft.id)
    if (bundle === undefined) {
      spot.note(spot.at, 'dangling', `${field.to} ${draft.id}`)
      return undefined
    }
    const within = field.within === 'own' ? [spot.own] : field.within
    if (within !== undefined && !within.includes(bundle)) spot.note(spot.at, 'other-target', `${bundle} ${draft.id}`)
    return draft.id
  }

  #file(accepts: 'image' | 'any', draft: FileDraft, spot: Spot): number | undefined {
    if (draft.file !== 'kept') return undefined
    const mime = this.#known.mimeOf(draft.id)
    if (mime === undefined) {
      const address = this.#known.addressOf(draft.id)
      if (address === undefined) spot.note(spot.at, 'dangling', `file ${draft.id}`)
      else spot.note(spot.at, 'missing-file', `file ${draft.id}: ${address}`)
      return undefined
    }
    this.#known.nameFile(draft.id)
    if (accepts === 'image' && !mime.startsWith('image/')) spot.note(spot.at, 'other-file', mime)
    return draft.id
  }

  #part({ fields }: PartField, { part }: PartDraft, spot: Spot): Value | undefined {
    const values: Record<string, Value> = {}
    for (const [name, field] of Object.entries(fields)) {
      const draft = part[name]
      const value = draft === undefined ? undefined : this.value(field, draft, { ...spot, at: `${spot.at}.${name}` })
      if (value !== undefined) values[name] = value
    }
    if (Object.keys(values).length === 0) return undefined
    if (lacksSomething(fields, values)) {
      spot.note(spot.at, 'bad-value', JSON.stringify(values))
      return undefined
    }
    return { uuid: randomUUID(), ...values }
  }
}

const lacksSomething = (fields: Fields, values: Readonly<Record<string, Value>>): boolean =>
  Object.entries(fields).some(([name, { required }]) => required && values[name] === undefined)

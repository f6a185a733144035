import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Field, FieldOf, Fields, PartField, ReferenceField } from '../../fields/field.ts'
import type { LinkedKind } from '../../fields/kind.ts'
import { isPlain, rulesOf } from '../../fields/kinds.ts'
import type { InputPlace } from '../../fields/place.ts'
import { faultOfLine } from '../../fields/text.ts'
import type { Draft, PartDraft, PartValue, ReferenceDraft, Value, Values } from '../../fields/value.ts'
import type { NamedByUuid } from './draft.ts'
import {
  type DraftedFields,
  type DraftSpot,
  draftsIn,
  type EarlierValues,
  hadBefore,
  idUnder,
  itemPlace,
  partsIn,
  partsOf,
  type RecordWrite,
  type ReferenceTargets,
  targetsOf,
  vocabularyOf,
} from './targets.ts'
import type { WriteContext } from './write-context.ts'

/** Turns drafts into values: looks references up, creates terms by name, keeps files. Faults go where they stand. */
export async function resolveAll(
  work: WriteContext,
  wanted: readonly RecordWrite[],
  named: NamedByUuid,
): Promise<readonly Values[]> {
  const targets = await targetsOf(work, wanted, named)
  return wanted.map(({ write, draft }) => new Resolution(write.bundle, targets).values(draft, write.before))
}

/** Only a name that no term can be given stands for none. */
const faultOfName = (name: string): string => faultOfLine(name) ?? 'is no name'

const things = {
  log: 'log',
  asset: 'asset',
  term: 'term',
  quantity: 'quantity',
  vocabulary: 'vocabulary',
  user: 'active user',
}

type ByUuid = Extract<ReferenceDraft, { ref: 'uuid' }>

/** The earlier references of a field, and the place of one. */
interface ReferenceSpot {
  readonly already: ReadonlySet<Value>
  readonly place: () => InputPlace
}

/** The fields of a part that the writer of the draft was not shown; undefined where all of them were. */
function hiddenIn({ fields }: PartField, draft: Draft): Fields | undefined {
  const [{ keeps } = { keeps: undefined }] = draftsIn<PartDraft>(draft)
  return keeps && Object.fromEntries(Object.entries(fields).filter(([name]) => keeps.includes(name)))
}

/** The values of one record, once it is known what its drafts point to. */
class Resolution {
  /** The bundle of the record. */
  readonly #own: string
  readonly #targets: ReferenceTargets
  /** While parts are resolved: all that the field had before. */
  #oldParts: readonly PartValue[] = []

  constructor(own: string, targets: ReferenceTargets) {
    this.#own = own
    this.#targets = targets
  }

  /** The values of a record or a part, with its earlier values. */
  values({ fields, drafts, placeOf }: DraftedFields, before: EarlierValues): Values {
    const values: Record<string, Value> = {}
    for (const name in fields) {
      const field = fields[name]
      const draft = drafts[name]
      if (field === undefined || draft === undefined) continue
      const value = this.#value(field, draft, { before: before[name], place: () => placeOf(name) })
      if (value !== undefined) values[name] = value
    }
    return values
  }

  #value(field: Field, draft: Draft, spot: DraftSpot): Value | undefined {
    // No is the absence of a yes, whether it was said or not.
    if (field.kind === 'yes-no') return draft === true ? true : undefined
    if (!isPlain(field)) return this.#linked(field, draft, spot)
    // The cast is safe: the draft of every other plain kind is its value.
    return rulesOf(field).isLine ? this.#lines(field, draft, spot) : (draft as Value)
  }

  #linked(field: FieldOf<LinkedKind>, draft: Draft, spot: DraftSpot): Value | undefined {
    switch (field.kind) {
      case 'choice':
        return this.#lines(field, draft, spot)
      case 'reference':
        return this.#references(field, draft, spot)
      case 'attachment':
        return this.#targets.filesOf(draft)
      case 'part':
        return this.#parts(field, draft, spot)
    }
  }

  #parts(field: PartField, draft: Draft, spot: DraftSpot): Value | undefined {
    const old = partsIn(spot.before)
    this.#oldParts = old
    const parts = partsOf(field, draft, spot).map((part) => this.values(part, part.before))
    this.#oldParts = []
    const hidden = hiddenIn(field, draft)
    if (Array.isArray(draft)) return withIdentities(parts, old, hidden)
    const part = withIdentity(parts[0] ?? {}, old[0], hidden)
    return hidden !== undefined && Object.keys(part).length === 1 ? undefined : part
  }

  /** A line that was kept before there was a rule for it may be sent back. */
  #lines(field: Field, draft: Draft, { before, place }: DraftSpot): Value {
    for (const [index, line] of draftsIn<string>(draft).entries()) {
      // A blank line in a required field is refused as missing.
      const fault = field.required && line.trim() === '' ? null : faultOfLine(line)
      if (fault !== null && !this.#wasSaid(line, before)) itemPlace(draft, index, place).fault(fault)
    }
    // The draft of a text is its value.
    return draft as Value
  }

  /** Parts may have other places than before. */
  #wasSaid(line: string, before: Value | undefined): boolean {
    return hadBefore(before).has(line) || this.#oldParts.some((part) => Object.values(part).includes(line))
  }

  #references(field: ReferenceField, draft: Draft, { before, place }: DraftSpot): Value | undefined {
    const already = hadBefore(before)
    const ids = new Set<number>()
    for (const [index, one] of draftsIn<ReferenceDraft>(draft).entries()) {
      const id = this.#idOf(field, one, { already, place: () => itemPlace(draft, index, place) })
      if (id !== undefined) ids.add(id)
    }
    const [first] = ids
    return Array.isArray(draft) ? [...ids] : first
  }

  #idOf(field: ReferenceField, one: ReferenceDraft, { already, place }: ReferenceSpot): number | undefined {
    if (one.ref === 'name')
      return this.#targets.termNamed(vocabularyOf(field, this.#own), one.name) ?? place().fault(faultOfName(one.name))
    const id = one.ref === 'id' ? one.id : this.#under(field, one, place)
    return id === undefined || already.has(id) ? id : this.#checked(field, id, place)
  }

  #under(field: ReferenceField, { uuid, id }: ByUuid, place: () => InputPlace): number | undefined {
    const identity = this.#targets.named(uuid)
    const found = idUnder(field, identity)
    if (found !== undefined && (id === undefined || id === found)) return found
    const at = place().inside('uuid')
    if (found !== undefined) return at.fault(`is that of ${things[field.to]} ${found}, and not of ${id}`)
    if (identity?.type === field.to) return at.fault(`the ${things[field.to]} with the UUID ${uuid} was removed`)
    return at.fault(`there is no ${things[field.to]} with the UUID ${uuid}`)
  }

  #checked(field: ReferenceField, id: number, place: () => InputPlace): number | undefined {
    const bundle = this.#targets.bundleOf(field.to, id)
    if (bundle === undefined) return place().fault(`there is no ${things[field.to]} with the id ${id}`)
    const within = field.within === 'own' ? [this.#own] : field.within
    if (within === undefined || within.includes(bundle)) return id
    return place().fault(`${things[field.to]} ${id} is of the type ${bundle}`, within)
  }
}

const none: Fields = {}

/** A part in the place of another: it stays that one, and keeps what its writer was not shown of it. */
const withIdentity = (part: Values, before: PartValue | undefined, hidden: Fields = none): PartValue => ({
  uuid: before?.uuid ?? randomUUID(),
  ...part,
  ...(before === undefined ? {} : keptOf(before, part, hidden)),
})

/**
 * Parts that are as they were stay who they were, wherever they stand now; those that changed take what is left, in order. One that says
 * nothing can only be one of which nothing was shown.
 */
export function withIdentities(
  parts: readonly Values[],
  before: readonly PartValue[],
  hidden: Fields = none,
): readonly PartValue[] {
  const left = [...before]
  const unchanged = parts.map((part) => {
    const at = left.findIndex((old) => isDeepStrictEqual(seenOf(old, hidden), part))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  return parts.flatMap((part, index) => {
    const old = unchanged[index]
    if (old === undefined && hidden !== none && Object.keys(part).length === 0) return []
    return [withIdentity(part, old ?? left.shift(), hidden)]
  })
}

type Members = Readonly<Record<string, Value | undefined>>

function seenOf({ uuid: _, ...old }: PartValue, hidden: Fields): Members {
  if (hidden === none) return old
  return Object.fromEntries(Object.entries(old).filter(([name]) => !Object.hasOwn(hidden, name)))
}

function keptOf(before: PartValue, part: Values, hidden: Fields): Values {
  const kept: Record<string, Value> = {}
  for (const name in hidden) {
    const value = before[name]
    const about = hidden[name]?.about
    if (value !== undefined && (about === undefined || isDeepStrictEqual(before[about], part[about])))
      kept[name] = value
  }
  return kept
}

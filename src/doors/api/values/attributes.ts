import type { Farm } from '../../../farm/farm.ts'
import { partMembers } from '../../../farm/newer/members.ts'
import { keptWord, newerWord, newerWords } from '../../../farm/newer/words.ts'
import { type Field, type FieldKind, type FieldOf, isMany } from '../../../fields/field.ts'
import { isPlain, mostValues, plainRules, rulesOf, validateValue } from '../../../fields/kinds.ts'
import { type InputPlace, isTree, shown } from '../../../fields/place.ts'
import { uuidIn, wholeNumber } from '../../../fields/scalars.ts'
import type {
  Draft,
  DraftOf,
  FileDraft,
  PartDraft,
  PartValue,
  ReferenceDraft,
  Value,
  ValueOfKind,
} from '../../../fields/value.ts'

/** The place of a value in the body, and the farm for its words. */
export interface SentTo {
  readonly farm: Farm
  readonly place: InputPlace
}

interface NewerReader<K extends FieldKind> {
  readonly read: (input: unknown, place: InputPlace, known: KindContext<K>) => DraftOf[K] | undefined
}

interface KindContext<K extends FieldKind> {
  readonly field: FieldOf<K>
  readonly farm: Farm
}

interface NewerSpelling<K extends FieldKind> {
  readonly spell: (value: ValueOfKind[K], field: FieldOf<K>, farm: Farm) => unknown
}

/** Reading and spelling of each kind. `fields/` validates the drafts. */
const attributes: { readonly [K in FieldKind]: NewerReader<K> & NewerSpelling<K> } = {
  ...plainRules('newer'),
  choice: { read: readWord, spell: (value, { list }, farm) => newerWord(farm, list, String(value)) },
  // Inside parts only, by id: elsewhere references and files are relationships.
  reference: { read: readInnerReference, spell: (value) => value },
  attachment: { read: readInnerFile, spell: (value) => value },
  part: { read: readPart, spell: spellPart },
}

/** Reads one attribute; undefined for none, or after a fault was noted. */
export function readAttribute(field: Field, input: unknown, { farm, place }: SentTo): Draft | undefined {
  if (isMany(field)) return readMany(field, input, { farm, place })
  return isNone(field, input) ? undefined : readOne(field, input, { farm, place })
}

/** A bare value counts as a list of one. */
function readMany(field: Field, input: unknown, { farm, place }: SentTo): readonly Draft[] | undefined {
  const items = Array.isArray(input) ? input : isNone(field, input) ? [] : [input]
  const most = mostValues(field)
  if (items.length > most) return place.fault(`has ${items.length} items; at most ${most} are taken`)
  const numbers: number[] = []
  const read = items.flatMap((item, index) => {
    const draft = isNone(field, item) ? undefined : readOne(field, item, { farm, place: place.inside(index) })
    if (draft === undefined) return []
    numbers.push(index)
    return [draft]
  })
  if (read.length < items.length) place.keep(numbers)
  return read.length === 0 ? undefined : read
}

function readOne<K extends FieldKind>(field: FieldOf<K>, input: unknown, { farm, place }: SentTo): Draft | undefined {
  const draft = attributes[field.kind as K].read(input, place, { field, farm })
  if (draft === undefined) return undefined
  return asKept(field, validateValue(field, draft, new NewerPlace(place, { farm, names: namesInside(field) })), farm)
}

/** A word is validated as written, and stored as the farm spells it. */
const asKept = (field: Field, admitted: Draft | undefined, farm: Farm): Draft | undefined =>
  field.kind === 'choice' && typeof admitted === 'string' ? keptWord(farm, field.list, admitted) : admitted

/** Names inside a part that differ from the stored ones. */
function namesInside(field: Field): ReadonlyMap<string, string> {
  if (field.kind === 'part') return new Map(partMembers(field).map(({ own, name }) => [own, name]))
  return (isPlain(field) && rulesOf(field).newer.names) || new Map()
}

/** Clients send whole schemas filled with empty values. Only a plain text can be empty on purpose. */
function isNone(field: Field, input: unknown): boolean {
  if (input === null || input === undefined) return true
  if (input === '') return field.kind !== 'long-text' || field.takesRich === true
  if (Array.isArray(input)) return input.length === 0
  return isTree(input) && Object.keys(input).length === 0
}

function readWord(input: unknown, place: InputPlace, { field, farm }: KindContext<'choice'>): string | undefined {
  if (typeof input === 'string') return input
  return place.fault(`must be a word, not ${shown(input)}`, newerWords(farm, field.list))
}

function readPart(input: unknown, place: InputPlace, { field, farm }: KindContext<'part'>): PartDraft | undefined {
  const members = partMembers(field)
  const names = members.map(({ name }) => name)
  if (!isTree(input)) return place.fault(`must be an object, not ${shown(input)}`, names)
  const part: Record<string, Draft> = {}
  for (const name in input) {
    const member = members.find((one) => one.name === name)
    const inside = place.inside(name)
    if (member === undefined) inside.fault('there is no such property here', names)
    const draft = member && readAttribute(member.field, input[name], { farm, place: inside })
    if (member && draft !== undefined) part[member.own] = draft
  }
  return Object.keys(part).length === 0 ? undefined : { part }
}

/** A reference inside a part is no relationship: it is shown by id, and accepted by id or UUID. */
function readInnerReference(input: unknown, place: InputPlace): ReferenceDraft | undefined {
  const uuid = uuidIn(input)
  if (uuid !== undefined) return { ref: 'uuid', uuid }
  const id = idIn(input, place)
  return id === undefined ? undefined : { ref: 'id', id }
}

function readInnerFile(input: unknown, place: InputPlace): FileDraft | undefined {
  const uuid = uuidIn(input)
  if (uuid !== undefined) return { file: 'uuid', uuid }
  const id = idIn(input, place)
  return id === undefined ? undefined : { file: 'kept', id }
}

function idIn(input: unknown, place: InputPlace): number | undefined {
  const id = wholeNumber(input)
  return id !== undefined && id > 0
    ? id
    : place.fault(`must be the number or the UUID of a record, not ${shown(input)}`)
}

/** The farm for words, and the sent names of members. */
interface PlaceNames {
  readonly farm: Farm
  readonly names?: ReadonlyMap<string, string>
}

/** A place that translates faults into the names and words of /api. */
class NewerPlace implements InputPlace {
  readonly #place: InputPlace
  readonly #naming: PlaceNames

  constructor(place: InputPlace, naming: PlaceNames) {
    this.#place = place
    this.#naming = naming
  }

  get at(): string {
    return this.#place.at
  }

  get address(): string | undefined {
    return this.#place.address
  }

  fault(message: string, allowed?: readonly string[]): undefined {
    return this.#place.fault(message, allowed)
  }

  inside(step: string | number): InputPlace {
    return this.#place.inside(this.#named(step))
  }

  requireInside(name: string): void {
    this.#place.requireInside(String(this.#named(name)))
  }

  keep(numbers: readonly number[]): void {
    this.#place.keep(numbers)
  }

  words(list: string): readonly string[] {
    return newerWords(this.#naming.farm, list)
  }

  #named(step: string | number): string | number {
    return (typeof step === 'string' ? this.#naming.names?.get(step) : undefined) ?? step
  }
}

/** One attribute, always present: null or an empty list without a value, and false for an unset boolean. */
export function spellAttribute<K extends FieldKind>(field: FieldOf<K>, value: Value | undefined, farm: Farm): unknown {
  const { spell } = attributes[field.kind as K]
  if (isListed(field)) return valuesIn(value).map((one) => spell(one as ValueOfKind[K], field, farm))
  if (value === undefined) return field.kind === 'yes-no' ? false : null
  return spell(value as ValueOfKind[K], field, farm)
}

/** Several geometries are shown as one. */
const isListed = (field: Field): boolean => isMany(field) && field.kind !== 'geometry'

function valuesIn(value: Value | undefined): readonly Value[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as Value]
}

function spellPart(part: PartValue, field: FieldOf<'part'>, farm: Farm): Record<string, unknown> {
  const members = partMembers(field).map(({ own, name, field }) => [name, spellAttribute(field, part[own], farm)])
  return Object.fromEntries(members)
}

import { randomUUID } from 'node:crypto'
import type { Farm } from '../../src/farm/farm.ts'
import { olderWords } from '../../src/farm/fields-of.ts'
import type { Field, FieldOf, Fields, PartField, ReferableType, ReferenceField } from '../../src/fields/field.ts'
import type { LinkedKind } from '../../src/fields/kind.ts'
import { isPlain } from '../../src/fields/kinds.ts'
import type { Draft, FileDraft, PartDraft, ReferenceDraft, Value } from '../../src/fields/value.ts'
import type { ChangeCase } from './findings.ts'
import type { SourceFiles } from './source-files.ts'
import { bundleOf, sourceTypes, vocabularyNames } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'

/** Targets that a reference of the source may have. */
export interface KnownTargets {
  /** The bundle of a referenced record; undefined if it does not exist. */
  bundleOf(type: ReferableType, id: number): string | undefined
  /** The media type; undefined without bytes. */
  mimeOf(file: number): string | undefined
  /** The address of an unreadable file; undefined if the source no longer knows it. */
  addressOf(file: number): string | undefined
  /** Notes that a record names the file. */
  nameFile(file: number): void
  hasWord(list: string, word: string): boolean
  /** The number that it has here. */
  numberHere(type: NumberedKind, id: number): number
}

/** The kinds of things that have a number here. */
export type NumberedKind = 'term' | 'asset' | 'log' | 'quantity' | 'user' | 'file'

/** Numbers that differ here from those of the source: `log 12` to 40. */
export type ChangedNumbers = ReadonlyMap<string, number>

interface IndexContext {
  readonly files: SourceFiles
  /** On a farm that moved in earlier. */
  readonly numbers?: ChangedNumbers
  readonly standIns?: ReadonlyMap<string, number>
  readonly isFreeTerm?: (id: number) => boolean
}

/** Records that the source can refer to, and stand-ins for missing ones. */
export class ReferenceIndex implements KnownTargets {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<number, string>
  readonly #bundles = new Map<string, string>()
  readonly #mimes = new Map<number, string>()
  readonly #users: { has(id: number): boolean }
  readonly #addresses = new Map<number, string>()
  readonly #namedFiles = new Set<number>()
  readonly #namedUsers = new Set<number>()
  readonly #standIns: Map<string, number>
  readonly #changedNumbers: ChangedNumbers
  readonly #isFreeTerm: (id: number) => boolean
  #highestTerm = 0

  constructor(
    farm: Farm,
    reading: SourceFarm,
    { files, numbers = new Map(), standIns = new Map(), isFreeTerm = () => true }: IndexContext,
  ) {
    this.farm = farm
    this.#changedNumbers = numbers
    this.#standIns = new Map(standIns)
    this.#isFreeTerm = isFreeTerm
    this.vocabularies = vocabularyNames(reading)
    this.#users = reading.users
    for (const type of sourceTypes) {
      for (const [id, record] of reading.records[type].all())
        this.#bundles.set(`${type} ${id}`, bundleOf(type, record, this.vocabularies) ?? '')
    }
    this.#highestTerm = reading.records.term.highestId
    for (const [id, { mime, url }] of files.described.all()) {
      if (files.bytes.has(id)) this.#mimes.set(id, typeof mime === 'string' ? mime : 'application/octet-stream')
      this.#addresses.set(id, String(url))
    }
  }

  numberHere(type: NumberedKind, id: number): number {
    return this.#changedNumbers.get(`${type} ${id}`) ?? id
  }

  hasWord(list: string, word: string): boolean {
    return olderWords(this.farm, list).includes(word)
  }

  bundleOf(type: ReferableType, id: number): string | undefined {
    if (type !== 'user') return this.#bundles.get(`${type} ${id}`)
    this.#namedUsers.add(id)
    return ''
  }

  mimeOf(file: number): string | undefined {
    return this.#mimes.get(file)
  }

  addressOf(file: number): string | undefined {
    return this.#addresses.get(file)
  }

  nameFile(file: number): void {
    this.#namedFiles.add(file)
  }

  isNamedFile(file: number): boolean {
    return this.#namedFiles.has(file)
  }

  /** Accounts that are named but not listed by the source. */
  get untoldUsers(): readonly number[] {
    return [...this.#namedUsers].filter((id) => id > 0 && !this.#users.has(id)).sort((one, other) => one - other)
  }

  /** A placeholder term for a required reference; one per vocabulary that needs it. */
  standIn(vocabulary: string): number {
    const known = this.#standIns.get(vocabulary)
    if (known !== undefined) return known
    do this.#highestTerm += 1
    while (!this.#isFreeTerm(this.#highestTerm))
    this.#standIns.set(vocabulary, this.#highestTerm)
    return this.#highestTerm
  }

  get standIns(): ReadonlyMap<string, number> {
    return this.#standIns
  }
}

/** The place of a value, and the changes noted there. */
interface Spot {
  readonly at: string
  /** The bundle of the record. */
  readonly own: string
  note(at: string, name: ChangeCase, was?: string): void
}

/** Turns drafts into values and looks up each reference. */
export class ReferenceResolver {
  readonly #known: KnownTargets

  constructor(known: KnownTargets) {
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
    if (field.kind === 'yes-no') return draft === true ? true : undefined
    // The cast is safe: the draft of every other plain kind is its value.
    return isPlain(field) ? (draft as Value) : this.#linked(field, draft, spot)
  }

  #linked(field: FieldOf<LinkedKind>, draft: Draft, spot: Spot): Value | undefined {
    switch (field.kind) {
      case 'reference':
        return this.#reference(field, draft as ReferenceDraft, spot)
      case 'attachment':
        return this.#file(field.accepts, draft as FileDraft, spot)
      case 'part':
        return this.#part(field, draft as PartDraft, spot)
      case 'choice':
        if (!field.open && !this.#known.hasWord(field.list, String(draft)))
          spot.note(spot.at, 'foreign-word', String(draft))
        return String(draft)
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
    return field.to === 'vocabulary' ? draft.id : this.#known.numberHere(field.to, draft.id)
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
    return this.#known.numberHere('file', draft.id)
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

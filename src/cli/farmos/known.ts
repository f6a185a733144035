import type { Farm } from '../../farm/farm.ts'
import type { ReferableType } from '../../fields/field.ts'
import { bundleOf, vocabularyNames } from './description.ts'
import { readTypes } from './kinds.ts'
import type { ReadFiles } from './read-files.ts'
import type { OtherFarm } from './reading.ts'

/** What the records over there may refer to, and what stands in for what they lack. */
export class Known {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<number, string>
  readonly #bundles = new Map<string, string>()
  readonly #mimes = new Map<number, string>()
  readonly #users: { has(id: number): boolean }
  readonly #addresses = new Map<number, string>()
  readonly #namedFiles = new Set<number>()
  readonly #namedUsers = new Set<number>()
  readonly #standIns = new Map<string, number>()
  #highestTerm = 0

  constructor(farm: Farm, reading: OtherFarm, files: ReadFiles) {
    this.farm = farm
    this.vocabularies = vocabularyNames(reading)
    this.#users = reading.users
    for (const type of readTypes) {
      for (const [id, record] of reading.records[type].all())
        this.#bundles.set(`${type} ${id}`, bundleOf(type, record, this.vocabularies) ?? '')
    }
    this.#highestTerm = Math.max(0, ...reading.records.term.ids)
    for (const [id, { mime, url }] of files.described.all()) {
      if (files.bytes.has(id)) this.#mimes.set(id, typeof mime === 'string' ? mime : 'application/octet-stream')
      this.#addresses.set(id, String(url))
    }
  }

  /** The bundle of what is referred to; undefined where it is not there. */
  bundleOf(type: ReferableType, id: number): string | undefined {
    if (type !== 'user') return this.#bundles.get(`${type} ${id}`)
    this.#namedUsers.add(id)
    return ''
  }

  /** What kind of file it is; undefined where its bytes are not there. */
  mimeOf(file: number): string | undefined {
    return this.#mimes.get(file)
  }

  /** Where a file lies that cannot be read; undefined where the other server does not know it any more. */
  addressOf(file: number): string | undefined {
    return this.#addresses.get(file)
  }

  /** Notes that a record names the file. */
  nameFile(file: number): void {
    this.#namedFiles.add(file)
  }

  isNamedFile(file: number): boolean {
    return this.#namedFiles.has(file)
  }

  /** Accounts that are named and that the other server does not tell of. */
  get untoldUsers(): readonly number[] {
    return [...this.#namedUsers].filter((id) => id > 0 && !this.#users.has(id)).sort((one, other) => one - other)
  }

  /** A term that stands where a record names none; there is one for each vocabulary that needs it. */
  standIn(vocabulary: string): number {
    const known = this.#standIns.get(vocabulary)
    if (known !== undefined) return known
    this.#highestTerm += 1
    this.#standIns.set(vocabulary, this.#highestTerm)
    return this.#highestTerm
  }

  get standIns(): ReadonlyMap<string, number> {
    return this.#standIns
  }
}

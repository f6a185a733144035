import type { Farm } from '../../src/farm/farm.ts'
import { areaNumbers } from '../../src/farm/newer/area-assets.ts'
import type { ResourceType } from '../../src/farm/newer/resource-type.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import type { ReferableType } from '../../src/fields/field.ts'
import { isTree } from '../../src/fields/place.ts'
import {
  type ApiFarm,
  resourcesIn,
  type SourceFamily,
  type SourceResource,
  type SourceTarget,
  unnumberedKeys,
} from './api-resources.ts'
import type { KnownTargets, NumberedKind } from './references.ts'
import type { SourceFiles } from './source-files.ts'
import { numberIn } from './source-lists.ts'

export interface NumberedTarget {
  readonly of: NumberedKind
  readonly id: number
}

/** A new number that differs from that of the source. */
interface NumberChange extends NumberedTarget {
  readonly type: string
  readonly uuid: string
  readonly name: string
  readonly there: number
}

/** Numbers that this farm already gave, by UUID, and the highest of each kind. */
export interface GivenTargets {
  readonly byUuid: ReadonlyMap<string, number>
  readonly standIns: ReadonlyMap<string, number>
  isFree(of: NumberedKind, id: number): boolean
}

const onEmptyFarm: GivenTargets = { byUuid: new Map(), standIns: new Map(), isFree: () => true }

/**
 * The number of each resource here. Logs, assets, terms, accounts and files keep theirs where it is free. Areas are
 * assets there and terms here, so they get new ones.
 */
export class ApiIndex implements KnownTargets {
  readonly farm: Farm
  readonly changes: NumberChange[] = []
  readonly #targets = new Map<string, NumberedTarget>()
  readonly #taken = new Map<NumberedKind, Set<number>>()
  readonly #highest = new Map<NumberedKind, number>()
  readonly #bundles = new Map<string, string>()
  readonly #files: SourceFiles
  readonly #fileKeys = new Map<number, number>()
  readonly #namedFiles = new Set<number>()
  readonly #untold = new Map<number, string>()
  readonly #standIns: Map<string, number>
  readonly #given: GivenTargets

  constructor(
    farm: Farm,
    source: ApiFarm,
    { files, given = onEmptyFarm }: { files: SourceFiles; given?: GivenTargets },
  ) {
    this.farm = farm
    this.#files = files
    this.#given = given
    this.#standIns = new Map(given.standIns)
    // Numbers that this farm gave already are taken, and terms choose before areas.
    const later: (readonly [NumberedKind, number, SourceResource])[] = []
    for (const family of ['log', 'taxonomy_term', 'asset', 'quantity', 'user', 'file'] as const) {
      for (const [key, resource] of resourcesIn(source, family)) {
        const isArea = this.typeOf(resource)?.kind !== undefined
        const [of, wanted] = isArea ? (['term', areaNumber(key)] as const) : [kinds[family], key]
        const waits = given.byUuid.size === 0 ? isArea : !given.byUuid.has(resource.id)
        if (waits) later.push([of, wanted, named(resource)])
        else this.#enter(of, wanted, resource)
      }
    }
    for (const one of later) this.#enter(...one)
  }

  typeOf({ type }: Pick<SourceResource, 'type'>): ResourceType | undefined {
    return resourceTypes(this.farm).get(type)
  }

  #enter(of: NumberedKind, wanted: number, { type, id: uuid, attributes }: SourceResource): void {
    const id = this.#given.byUuid.get(uuid) ?? this.#numberFor(of, wanted)
    this.#take(of, id)
    this.#targets.set(uuid, { of, id })
    const own = resourceTypes(this.farm).get(type)
    if (own !== undefined) this.#bundles.set(`${of} ${id}`, own.bundles[0] ?? '')
    if (of === 'file') this.#fileKeys.set(id, wanted)
    const there = numberIn(attributes.drupal_internal__id ?? attributes.drupal_internal__tid) ?? 0
    if (of !== 'quantity' && of !== 'user' && of !== 'file' && there !== id && there !== id + areaNumbers)
      this.changes.push({ of, id, type, uuid, name: String(attributes.name ?? ''), there })
  }

  #numberFor(of: NumberedKind, wanted: number): number {
    const most = of === 'asset' ? areaNumbers : unnumberedKeys
    const isWanted = wanted > 0 && wanted < most && !this.#isTaken(of, wanted) && this.#given.isFree(of, wanted)
    if (isWanted) return wanted
    let id = (this.#highest.get(of) ?? 0) + 1
    while (!this.#given.isFree(of, id)) id += 1
    return id
  }

  #isTaken = (of: NumberedKind, id: number): boolean => this.#taken.get(of)?.has(id) === true

  #take(of: NumberedKind, id: number): void {
    this.#taken.set(of, (this.#taken.get(of) ?? new Set()).add(id))
    this.#highest.set(of, Math.max(this.#highest.get(of) ?? 0, id))
  }

  /** The target of a relationship; undefined if it is gone over there. */
  target({ type, id, meta }: SourceTarget): NumberedTarget | undefined {
    const known = this.#targets.get(id)
    if (known !== undefined || type !== 'user--user' || id === 'missing') return known
    // Blocked accounts are not listed.
    const user = {
      of: 'user' as const,
      id: this.#given.byUuid.get(id) ?? this.#numberFor('user', numberIn(meta.drupal_internal__target_id) ?? 0),
    }
    this.#take('user', user.id)
    this.#targets.set(id, user)
    this.#untold.set(user.id, id)
    return user
  }

  at(uuid: string): NumberedTarget | undefined {
    return this.#targets.get(uuid)
  }

  /** Accounts that are named but not listed by the source: number and UUID. */
  get untoldUsers(): ReadonlyMap<number, string> {
    return this.#untold
  }

  setBundle({ of, id }: NumberedTarget, bundle: string): void {
    this.#bundles.set(`${of} ${id}`, bundle)
  }

  bundleOf(type: ReferableType, id: number): string | undefined {
    return type === 'user' ? '' : this.#bundles.get(`${type} ${id}`)
  }

  #describedFile = (file: number) => this.#files.described.get(this.#fileKeys.get(file) ?? 0)

  mimeOf(file: number): string | undefined {
    if (!this.#files.bytes.has(this.#fileKeys.get(file) ?? 0)) return undefined
    return String(this.#describedFile(file)?.mime ?? 'application/octet-stream')
  }

  addressOf(file: number): string | undefined {
    const url = this.#describedFile(file)?.url
    return url === undefined ? undefined : String(url)
  }

  nameFile(file: number): void {
    this.#namedFiles.add(this.#fileKeys.get(file) ?? 0)
  }

  /** By the number that the file has over there. */
  isNamedFile(key: number): boolean {
    return this.#namedFiles.has(key)
  }

  /** Targets are looked up by UUID, so their numbers are those of here. */
  numberHere(_type: NumberedKind, id: number): number {
    return id
  }

  hasWord(list: string, word: string): boolean {
    return (this.farm.lists[list] ?? []).some(({ value, newer }) => value === word || newer === word)
  }

  standIn(vocabulary: string): number {
    const known = this.#standIns.get(vocabulary)
    if (known !== undefined) return known
    const id = this.#numberFor('term', 0)
    this.#take('term', id)
    this.#standIns.set(vocabulary, id)
    return id
  }

  get standIns(): ReadonlyMap<string, number> {
    return this.#standIns
  }
}

const areaNumber = (key: number): number => (key >= areaNumbers ? key - areaNumbers : 0)

/** What is needed to number it later. */
const named = ({ type, id, attributes }: SourceResource): SourceResource => {
  const { name, drupal_internal__id, drupal_internal__tid } = attributes
  return { type, id, attributes: { name, drupal_internal__id, drupal_internal__tid }, relationships: {} }
}

const kinds: Readonly<Record<SourceFamily, NumberedKind>> = {
  taxonomy_term: 'term',
  asset: 'asset',
  log: 'log',
  quantity: 'quantity',
  user: 'user',
  file: 'file',
}

/** Descriptions of files in the form of generation 1, by the number that they have over there. */
export function describedFiles(source: ApiFarm): ReadonlyMap<number, Readonly<Record<string, unknown>>> {
  return new Map(
    [...resourcesIn(source, 'file')].map(([key, { id, attributes }]) => {
      const uri = isTree(attributes.uri) ? attributes.uri : {}
      const { filename: name, filesize: size, filemime: mime, created } = attributes
      return [key, { uuid: id, name, size, mime, url: uri.url ?? uri.value, created }]
    }),
  )
}

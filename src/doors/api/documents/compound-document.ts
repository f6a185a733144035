import type { Farm } from '../../../farm/farm.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { configTypeNames } from '../config-resources.ts'
import type { MemberPath, SparseFields } from '../query-parameters.ts'
import { jsonapi } from './document.ts'
import { type ApiResource, keyOf, type ResourceRef, refsIn } from './identifiers.ts'
import type { ReadContext } from './implied-values.ts'
import { resourceTexts, type ShownResource } from './resource-object.ts'
import { resourcesOf } from './resources.ts'

interface DocumentParts {
  /** JSON: a resource, a list of them, or null. */
  readonly data: string
  readonly included?: readonly ShownResource[]
  readonly links: object
}

const version = JSON.stringify(jsonapi)

/** The JSON of a document. */
export function documentText({ data, included: beside = [], links }: DocumentParts): string {
  const including = beside.length === 0 ? '' : `,"included":[${textsOf(beside)}]`
  return `{"jsonapi":${version},"data":${data}${including},"links":${JSON.stringify(links)}}`
}

export const listText = (shown: readonly ShownResource[]): string => `[${textsOf(shown)}]`

const textsOf = (shown: readonly ShownResource[]): string => shown.map(({ text }) => text).join()

export interface DocumentShape {
  readonly base: string
  readonly include: readonly MemberPath[]
  readonly sparse: SparseFields
}

interface PrimaryData {
  readonly data: ApiResource | null | readonly ApiResource[]
  readonly links: object
}

/** The document of loaded resources. */
export async function resourceDocument(
  reading: ReadContext,
  shaping: DocumentShape,
  { data, links }: PrimaryData,
): Promise<string> {
  const primary = data === null ? [] : 'thing' in data ? [data] : data
  const shown = await resourceTexts(reading, primary, shaping)
  const beside = await included(shown, shaping.include, async (things) =>
    resourceTexts(reading, await resourcesOf(reading, things), shaping),
  )
  const text = Array.isArray(data) ? listText(shown) : (shown[0]?.text ?? 'null')
  return documentText({ data: text, included: beside, links })
}

/** Loads referenced resources; missing ones are left out. */
type LoadResources<D extends ApiResource> = (things: readonly ResourceRef[]) => Promise<readonly D[]>

/** Refuses a path that no resource of this type can follow. If several types are on the way, one is enough. */
export function refuseUnknownPaths(farm: Farm, type: string, paths: readonly MemberPath[]): void {
  for (const path of paths) {
    let types: readonly string[] = [type]
    for (const name of path) {
      const known = types.map((one) => relationshipsOfType(farm, one))
      if (!known.some((relationships) => relationships.has(name)))
        throw badQuery('include', `${path.join('.')}: there is no relationship ${name} of ${types.join(', ')}`, [
          ...new Set(known.flatMap((relationships) => [...relationships.keys()])),
        ])
      types = [...new Set(known.flatMap((relationships) => relationships.get(name) ?? []))]
    }
  }
}

/** All resources on the paths, each once, without the primary data. */
export async function included<D extends ApiResource>(
  primary: readonly D[],
  paths: readonly MemberPath[],
  draw: LoadResources<D>,
): Promise<readonly D[]> {
  const known = new Map(primary.map((drawn) => [keyOf(drawn.thing), drawn]))
  const found = new Map<string, D>()
  for (const path of paths) {
    let standing = primary
    for (const name of path) {
      const things = new Map(
        standing.flatMap(({ relationships }) => refsIn(relationships[name])).map((thing) => [keyOf(thing), thing]),
      )
      const missing = [...things].filter(([key]) => !known.has(key)).map(([, thing]) => thing)
      for (const drawn of missing.length === 0 ? [] : await draw(missing)) known.set(keyOf(drawn.thing), drawn)
      standing = [...things.keys()].flatMap((key) => known.get(key) ?? [])
      for (const drawn of standing) if (!primary.includes(drawn)) found.set(keyOf(drawn.thing), drawn)
    }
  }
  return [...found.values()]
}

/** Relationships of users and files. */
const ofOthers: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map([
  ['user--user', new Map([['roles', ['user_role--user_role']]])],
  ['file--file', new Map([['uid', ['user--user']]])],
])

const noRelationships: ReadonlyMap<string, readonly string[]> = new Map()

/** Relationships of a type by name, with their target types. */
function relationshipsOfType(farm: Farm, name: string): ReadonlyMap<string, readonly string[]> {
  const type = resourceTypes(farm).get(name)
  if (type === undefined) return ofOthers.get(name) ?? noRelationships
  return new Map(
    [...type.members.values()].flatMap((member) =>
      isRelationship(member) ? [[member.name, member.targets ?? targetsOfFiles] as const] : [],
    ),
  )
}

const targetsOfFiles = ['file--file']

export const isKnownType = (farm: Farm, name: string): boolean =>
  resourceTypes(farm).has(name) || ofOthers.has(name) || configTypeNames.includes(name)

import type { Farm } from '../../../farm/farm.ts'
import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import { isMany } from '../../../fields/field.ts'
import { valueLimits } from '../../../fields/limits.ts'
import { isTree, shown } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/scalars.ts'
import type { FileTexts } from '../../../fields/value.ts'
import { byType } from '../../../history/implications.ts'
import { thatAreNoPlaces } from '../../../history/newer/whereabouts.ts'
import type { RefusalFault } from '../../../refusal.ts'
import { accountsByUuids } from '../../../storage/access/account-rows.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesSeenBy } from '../../../storage/file-rows.ts'
import { identitiesOf } from '../../../storage/identity.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import { isKnownType } from '../documents/compound-document.ts'
import { fileIdentifier, type Identifier, identifiersOf, keyOf, type NumberedRef } from '../documents/identifiers.ts'
import { type SentPlace, unreadable } from './request-body.ts'

interface SentIdentifier {
  readonly family: string
  readonly type: string
  readonly id: string
  /** The identifier's `meta`. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly place: SentPlace
}

/** The targets in a relationship of a body, with their places. */
export interface SentLinkage {
  readonly member: Member
  readonly identifiers: readonly SentIdentifier[]
}

/** Placeholder ids for the root of a vocabulary and for missing targets. They refer to nothing. */
const emptyIds = ['virtual', 'missing']

/** The identifiers in the `data` of a relationship. */
export function linkageIn(farm: Farm, member: Member, { data, place }: SentData): SentLinkage {
  if (data === null) return { member, identifiers: [] }
  if (isMany(member.field) !== Array.isArray(data)) {
    const wanted = isMany(member.field) ? 'a list of identifiers' : 'one identifier or null'
    throw unreadable(place.at, `must be ${wanted}, not ${shown(data)}`, place.path)
  }
  const list: readonly unknown[] = Array.isArray(data) ? data : [data]
  return {
    member,
    identifiers: list.flatMap((one, index) => {
      const at = Array.isArray(data) ? place.inside(index) : place
      const identifier = identifierIn(farm, one, at)
      return emptyIds.includes(identifier.id) ? [] : [identifier]
    }),
  }
}

interface SentData {
  readonly data: unknown
  readonly place: SentPlace
}

function identifierIn(farm: Farm, input: unknown, place: SentPlace): SentIdentifier {
  if (!isTree(input) || typeof input.type !== 'string' || typeof input.id !== 'string')
    throw unreadable(place.at, `must be an identifier with a type and an id, not ${shown(input)}`, place.path)
  if (!isKnownType(farm, input.type) && !emptyIds.includes(input.id))
    throw unreadable(place.at, `there is no type ${shown(input.type)}`, [...place.path, 'type'])
  const [family = ''] = input.type.split('--')
  return { family, type: input.type, id: input.id, meta: isTree(input.meta) ? input.meta : {}, place }
}

/** The resolved identifiers of a body, and the faults of the others. */
export interface ResolvedLinks {
  readonly thingsOf: (linkage: SentLinkage) => readonly NumberedRef[]
  /** Identifiers without a target. */
  readonly missing: readonly RefusalFault[]
}

interface LinkOwner {
  readonly farm: Farm
  /** The caller: only the sender may refer to files that no record names yet. */
  readonly uid: number
}

/** One lookup for all relationships of a body. A target of the wrong type is noted at its place. */
export async function resolveLinks(
  snapshot: Snapshot,
  { farm, uid }: LinkOwner,
  linkages: readonly SentLinkage[],
): Promise<ResolvedLinks> {
  const sent = linkages.flatMap(({ identifiers }) => identifiers)
  const things = await refsUnder(snapshot, sent)
  const records = [...things.values()].filter(({ of }) => of !== 'file')
  const called = await identifiersOf(snapshot, farm, records)
  const files = await filesAmong(snapshot, [...things.values()], uid)
  const missing: RefusalFault[] = []
  const found = new Map<SentIdentifier, NumberedRef>()
  for (const { member, identifiers } of linkages) {
    for (const identifier of identifiers) {
      const thing = things.get(`${identifier.family} ${identifier.id.toLowerCase()}`)
      const name = thing === undefined ? undefined : (called.get(keyOf(thing)) ?? files.get(keyOf(thing)))
      if (thing === undefined || name === undefined || familyOf(name) !== identifier.family)
        missing.push(identifier.place.faultOf(`there is no ${identifier.type} ${shown(identifier.id)}`))
      else if (isTarget(member, name)) found.set(identifier, { ...thing, meta: targetMeta(thing, identifier) })
      else identifier.place.fault(`must be one of these types, not ${name.type}`, member.targets ?? [])
    }
  }
  return {
    missing,
    thingsOf: ({ identifiers }) => identifiers.flatMap((identifier) => found.get(identifier) ?? []),
  }
}

async function filesAmong(
  snapshot: Snapshot,
  things: readonly NumberedRef[],
  uid: number,
): Promise<ReadonlyMap<string, Identifier>> {
  const ids = things.flatMap(({ of, id }) => (of === 'file' ? [id] : []))
  const files = ids.length === 0 ? [] : [...(await filesSeenBy(snapshot, ids, uid)).values()]
  return new Map(files.map((file) => [keyOf({ of: 'file', id: file.id }), fileIdentifier(file)]))
}

const targetMeta = ({ of }: NumberedRef, identifier: SentIdentifier): NonNullable<NumberedRef['meta']> =>
  of === 'file' ? { ...fileTextsIn(identifier) } : identifier.meta

const familyOf = ({ type }: Identifier): string => type.split('--')[0] ?? ''

const isTarget = ({ targets }: Member, { type }: Identifier): boolean => targets?.includes(type) ?? true

/** Keyed by family and UUID. */
async function refsUnder(
  snapshot: Snapshot,
  sent: readonly SentIdentifier[],
): Promise<ReadonlyMap<string, NumberedRef>> {
  const uuids = (isUser: (family: string) => boolean) => [
    ...new Set(sent.filter(({ family }) => isUser(family)).flatMap(({ id }) => uuidIn(id) ?? [])),
  ]
  const ofOthers = uuids((family) => family !== 'user')
  const identities = await identitiesOf(snapshot, ofOthers)
  const ofUsers = uuids((family) => family === 'user')
  const accounts = await accountsByUuids(snapshot, ofUsers)
  const found = new Map<string, NumberedRef>()
  for (const { family, id } of sent) {
    const uuid = id.toLowerCase()
    const identity = identities.get(uuid)
    const account = family === 'user' ? accounts.get(uuid) : undefined
    if (account !== undefined) found.set(`${family} ${uuid}`, { of: 'user', id: account })
    else if (identity !== undefined && identity.removed === null)
      found.set(`${family} ${uuid}`, { of: identity.type, id: identity.number })
  }
  return found
}

const fileTextNames = ['alt', 'title', 'description'] as const satisfies readonly (keyof FileTexts)[]

interface FileMeta {
  readonly meta: Readonly<Record<string, unknown>>
  readonly place: SentPlace
}

/** The texts for a file in the `meta` of an identifier. */
function fileTextsIn({ meta, place }: FileMeta): Partial<FileTexts> {
  const texts: { -readonly [K in keyof FileTexts]?: FileTexts[K] } = {}
  for (const name of fileTextNames) {
    const sent = meta[name]
    const at = () => place.inside('meta').inside(name)
    if (sent === undefined) continue
    if (sent === null || sent === '') texts[name] = null
    else if (typeof sent !== 'string') at().fault(`must be a text, not ${shown(sent)}`)
    else if (sent.length > valueLimits.fileTextLength)
      at().fault(`may have ${valueLimits.fileTextLength} characters, not ${sent.length}`)
    else texts[name] = sent
  }
  return texts
}

/** The location of a log must be a place; others are noted at their place. */
export async function refuseNoPlaces(
  snapshot: Snapshot,
  linkages: readonly SentLinkage[],
  links: ResolvedLinks,
): Promise<void> {
  const linkage = linkages.find(({ member }) => member.source.of === 'rule' && member.source.rule === 'log location')
  if (linkage === undefined) return
  const things = links
    .thingsOf(linkage)
    .map(({ of, id }) => ({ type: of === 'term' ? ('term' as const) : ('asset' as const), id }))
  const wrong = await thatAreNoPlaces(snapshot, byType(things))
  if (links.missing.length > 0) return
  for (const [index, { type, id }] of things.entries()) {
    if (wrong.some((one) => one.type === type && one.id === id))
      linkage.identifiers[index]?.place.fault('is no place; set its is_location first')
  }
}

interface SentLinks {
  readonly farm: Farm
  readonly type: ResourceType
  readonly linkages: readonly SentLinkage[]
}

/** Names of targets that fill an empty text, by id. */
export async function namesToFill(
  snapshot: Snapshot,
  links: ResolvedLinks,
  { farm, type, linkages }: SentLinks,
): Promise<ReadonlyMap<number, string>> {
  const bundles = type.bundles.map((name) => farm.records[type.record].bundles[name])
  const isFilling = ({ member: { source } }: SentLinkage) =>
    source.of === 'field' &&
    bundles.some((bundle) => {
      const field = bundle?.fields[source.field]
      return field?.kind === 'reference' && field.fills !== undefined
    })
  const ids = linkages.filter(isFilling).flatMap((linkage) => links.thingsOf(linkage).map(({ id }) => id))
  return ids.length === 0 ? new Map() : termNames(snapshot, ids)
}

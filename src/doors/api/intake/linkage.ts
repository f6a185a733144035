import type { Farm } from '../../../farm/farm.ts'
import type { Member } from '../../../farm/newer/resource-type.ts'
import { isMany } from '../../../fields/field.ts'
import { valueLimits } from '../../../fields/limits.ts'
import { isTree, shown } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import type { FileTexts } from '../../../fields/value.ts'
import type { Fault } from '../../../refusal.ts'
import { accountsByUuids } from '../../../storage/access/account-rows.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { filesSeenBy } from '../../../storage/file-rows.ts'
import { identitiesOf } from '../../../storage/identity.ts'
import { fileIdentifier, type Identifier, identifiersOf } from '../wire/identifiers.ts'
import { keyOf, type NumberedThing } from '../wire/thing.ts'
import { isKnownType } from '../wire/type-relationships.ts'
import type { SentPlace } from './sent-place.ts'
import { unreadable } from './sent-resource.ts'

/** One resource that a body points to. */
interface SentIdentifier {
  readonly family: string
  readonly type: string
  readonly id: string
  /** What is said of the target beside who it is. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly place: SentPlace
}

/** What a relationship of a body leads to, and where each stands. */
export interface SentLinkage {
  readonly member: Member
  readonly identifiers: readonly SentIdentifier[]
}

/** The root of a vocabulary, and what is gone, are shown by these words and stand for nothing. */
const nothings = ['virtual', 'missing']

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
      return nothings.includes(identifier.id) ? [] : [identifier]
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
  if (!isKnownType(farm, input.type) && !nothings.includes(input.id))
    throw unreadable(place.at, `there is no type ${shown(input.type)}`, [...place.path, 'type'])
  const [family = ''] = input.type.split('--')
  return { family, type: input.type, id: input.id, meta: isTree(input.meta) ? input.meta : {}, place }
}

/** What the identifiers of a body stand for, and what is wrong with those that stand for nothing. */
export interface Linked {
  readonly thingsOf: (linkage: SentLinkage) => readonly NumberedThing[]
  /** Identifiers that lead nowhere. */
  readonly missing: readonly Fault[]
}

interface LinkedBy {
  readonly farm: Farm
  /** Whose body it is: of files that no record names yet, only their sender knows. */
  readonly uid: number
}

/** Looked up for all relationships of a body together; what is of the wrong type is noted where it stands. */
export async function linked(
  snapshot: Snapshot,
  { farm, uid }: LinkedBy,
  linkages: readonly SentLinkage[],
): Promise<Linked> {
  const sent = linkages.flatMap(({ identifiers }) => identifiers)
  const things = await thingsUnder(snapshot, sent)
  const records = [...things.values()].filter(({ of }) => of !== 'file')
  const called = await identifiersOf(snapshot, farm, records)
  const files = await filesAmong(snapshot, [...things.values()], uid)
  const missing: Fault[] = []
  const found = new Map<SentIdentifier, NumberedThing>()
  for (const { member, identifiers } of linkages) {
    for (const identifier of identifiers) {
      const thing = things.get(`${identifier.family} ${identifier.id.toLowerCase()}`)
      const name = thing === undefined ? undefined : (called.get(keyOf(thing)) ?? files.get(keyOf(thing)))
      if (thing === undefined || name === undefined || familyOf(name) !== identifier.family)
        missing.push(identifier.place.faultOf(`there is no ${identifier.type} ${shown(identifier.id)}`))
      else if (isTarget(member, name)) found.set(identifier, { ...thing, meta: said(thing, identifier) })
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
  things: readonly NumberedThing[],
  uid: number,
): Promise<ReadonlyMap<string, Identifier>> {
  const ids = things.flatMap(({ of, id }) => (of === 'file' ? [id] : []))
  const files = ids.length === 0 ? [] : [...(await filesSeenBy(snapshot, ids, uid)).values()]
  return new Map(files.map((file) => [keyOf({ of: 'file', id: file.id }), fileIdentifier(file)]))
}

const said = ({ of }: NumberedThing, identifier: SentIdentifier): NonNullable<NumberedThing['meta']> =>
  of === 'file' ? { ...fileTextsIn(identifier) } : identifier.meta

const familyOf = ({ type }: Identifier): string => type.split('--')[0] ?? ''

const isTarget = ({ targets }: Member, { type }: Identifier): boolean => targets?.includes(type) ?? true

/** By family and UUID. */
async function thingsUnder(
  snapshot: Snapshot,
  sent: readonly SentIdentifier[],
): Promise<ReadonlyMap<string, NumberedThing>> {
  const uuids = (isUser: (family: string) => boolean) => [
    ...new Set(sent.filter(({ family }) => isUser(family)).flatMap(({ id }) => uuidIn(id) ?? [])),
  ]
  const ofOthers = uuids((family) => family !== 'user')
  const identities = await identitiesOf(snapshot, ofOthers)
  const ofUsers = uuids((family) => family === 'user')
  const accounts = await accountsByUuids(snapshot, ofUsers)
  const found = new Map<string, NumberedThing>()
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

const names = ['alt', 'title', 'description'] as const satisfies readonly (keyof FileTexts)[]

interface Said {
  readonly meta: Readonly<Record<string, unknown>>
  readonly place: SentPlace
}

/** What the `meta` of an identifier says of a file. */
function fileTextsIn({ meta, place }: Said): Partial<FileTexts> {
  const texts: { -readonly [K in keyof FileTexts]?: FileTexts[K] } = {}
  for (const name of names) {
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

import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import { isTree, shown } from '../../../fields/place.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import { identifiersOf, keyOf, refsIn } from '../documents/identifiers.ts'
import type { ReadContext } from '../documents/implied-values.ts'
import { recordsOf, resourcesOfRecords } from '../documents/resources.ts'
import { pointerOfPath } from '../errors.ts'
import { linkageIn } from './linkage.ts'
import { SentPlace, unreadable } from './request-body.ts'

export type LinkageVerb = 'add' | 'replace' | 'remove'

interface LinkageRequest {
  readonly type: ResourceType
  readonly member: Member
  readonly verb: LinkageVerb
  readonly body: unknown
  /** The id of the relationship's record. */
  readonly at: () => Promise<number>
}

/** The complete new linkage of a relationship, and the part that was sent. */
interface ChangedLinkage {
  readonly member: Member
  readonly whole: unknown
  readonly sent: unknown
}

/** The present linkage with or without what was sent. */
export async function changedLinkage(
  reading: ReadContext,
  { type, member, verb, body, at }: LinkageRequest,
): Promise<ChangedLinkage> {
  const sent = dataIn(body)
  if (verb !== 'replace' && !Array.isArray(sent))
    throw unreadable('data', `must be a list of identifiers, not ${shown(sent)}`, ['data'])
  refuseOtherTypes(member, sent)
  const changed = (whole: unknown): ChangedLinkage => ({ member, whole, sent })
  const place = new SentPlace(pathOf(member), { faults: [], words: () => [] })
  await withPointersIntoBody(changed(sent), () => linkageIn(reading.installation.farm, member, { data: sent, place }))
  if (!Array.isArray(sent)) return changed(sent)
  const keys = sent.map(identifierKey)
  if (new Set(keys).size < keys.length) throw unreadable('data', 'names the same resource twice', ['data'])
  if (verb === 'replace') return changed(sent)
  const there = await linkageNow(reading, { type, member, id: await at() })
  if (verb === 'remove') return changed(there.filter((one) => !keys.includes(identifierKey(one))))
  // An existing target may be sent with other `meta`.
  return changed([
    ...there.map((one) => sent.find((other) => identifierKey(other) === identifierKey(one)) ?? one),
    ...sent.filter((one) => !there.some((other) => identifierKey(other) === identifierKey(one))),
  ])
}

/** The type of an identifier can be checked without a lookup. */
function refuseOtherTypes({ targets }: Member, sent: unknown): void {
  if (targets === undefined) return
  for (const [index, one] of [sent].flat().entries()) {
    if (!isTree(one) || typeof one.type !== 'string' || targets.includes(one.type)) continue
    const path = Array.isArray(sent) ? ['data', index, 'type'] : ['data', 'type']
    throw unreadable('data', `must be of one of these types, not ${shown(one.type)}: ${targets.join(', ')}`, path)
  }
}

const pathOf = ({ name }: Member): readonly string[] => ['data', 'relationships', name, 'data']

/** Runs work on a linkage, and points its faults at the sent body. */
export async function withPointersIntoBody<T>(linkage: ChangedLinkage, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? asSent(error, linkage) : error
  }
}

function asSent(refusal: Refusal, linkage: ChangedLinkage): Refusal {
  const { faults = [] } = refusal.details
  return new Refusal(refusal.refusal, refusal.message, {
    ...refusal.details,
    faults: faults.map((fault) => faultAsSent(fault, linkage)),
  })
}

function faultAsSent(fault: RefusalFault, { member, whole, sent }: ChangedLinkage): RefusalFault {
  const start = pointerOfPath(pathOf(member))
  if (!fault.pointer?.startsWith(start)) return fault
  const inside = fault.pointer.slice(start.length)
  const [, index, further = ''] = /^\/(\d+)(.*)$/.exec(inside) ?? []
  if (index === undefined || !Array.isArray(whole)) return { ...fault, pointer: `/data${inside}` }
  const position = Array.isArray(sent) ? sent.indexOf(whole[Number(index)]) : -1
  if (position < 0) return { ...fault, field: member.name, pointer: '/data' }
  return { ...fault, field: `${member.name}[${position}]`, pointer: `/data/${position}${further}` }
}

function dataIn(body: unknown): unknown {
  if (isTree(body) && body.data !== undefined) return body.data
  throw unreadable('data', 'must be what the relationship leads to', ['data'])
}

/** Identifies a target, whatever bundle the identifier names. */
const identifierKey = (identifier: unknown): string =>
  isTree(identifier)
    ? `${String(identifier.type).split('--')[0]} ${String(identifier.id).toLowerCase()}`
    : shown(identifier)

interface RelationshipAt {
  readonly type: ResourceType
  readonly member: Member
  readonly id: number
}

async function linkageNow(reading: ReadContext, { type, member, id }: RelationshipAt): Promise<readonly object[]> {
  const record = (await recordsOf(reading.snapshot, type.record, [id])).get(id)
  const [drawn] = record === undefined ? [] : await resourcesOfRecords(reading, [record])
  const things = refsIn(drawn?.relationships[member.name])
  const identifiers = await identifiersOf(reading.snapshot, reading.installation.farm, things)
  return things.flatMap((thing) => identifiers.get(keyOf(thing)) ?? [])
}

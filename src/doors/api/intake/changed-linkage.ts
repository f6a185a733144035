import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import { isTree, shown } from '../../../fields/place.ts'
import { drawRecords } from '../wire/drawing.ts'
import { identifiersOf } from '../wire/identifiers.ts'
import type { ReadContext } from '../wire/implied.ts'
import { recordsOf } from '../wire/loading.ts'
import { keyOf, listOf } from '../wire/thing.ts'
import { unreadable } from './sent-resource.ts'

export type LinkageVerb = 'add' | 'replace' | 'remove'

interface Linkage {
  readonly type: ResourceType
  readonly member: Member
  readonly verb: LinkageVerb
  readonly body: unknown
  /** The number of the record that the relationship is of. */
  readonly at: () => Promise<number>
}

/** The whole linkage that a relationship is to have: what it has, with or without what is sent. */
export async function changedLinkage(
  reading: ReadContext,
  { type, member, verb, body, at }: Linkage,
): Promise<unknown> {
  const sent = dataIn(body)
  if (verb === 'replace') return sent
  if (!Array.isArray(sent)) throw unreadable('data', `must be a list of identifiers, not ${shown(sent)}`, ['data'])
  const keys = sent.map(spelled)
  if (new Set(keys).size < keys.length) throw unreadable('data', 'names the same resource twice', ['data'])
  const there = await linkageNow(reading, { type, member, id: await at() })
  if (verb === 'add')
    // What is there already may be sent with something else to say of it.
    return [
      ...there.map((one) => sent.find((other) => spelled(other) === spelled(one)) ?? one),
      ...sent.filter((one) => !there.some((other) => spelled(other) === spelled(one))),
    ]
  return there.filter((one) => !keys.includes(spelled(one)))
}

function dataIn(body: unknown): unknown {
  if (isTree(body) && body.data !== undefined) return body.data
  throw unreadable('data', 'must be what the relationship leads to', ['data'])
}

/** What is pointed to, whatever bundle it is said to be of. */
const spelled = (identifier: unknown): string =>
  isTree(identifier)
    ? `${String(identifier.type).split('--')[0]} ${String(identifier.id).toLowerCase()}`
    : shown(identifier)

interface Standing {
  readonly type: ResourceType
  readonly member: Member
  readonly id: number
}

async function linkageNow(reading: ReadContext, { type, member, id }: Standing): Promise<readonly object[]> {
  const record = (await recordsOf(reading.snapshot, type.record, [id])).get(id)
  const [drawn] = record === undefined ? [] : await drawRecords(reading, [record])
  const things = listOf(drawn?.relationships[member.name])
  const identifiers = await identifiersOf(reading.snapshot, reading.installation.farm, things)
  return things.flatMap((thing) => identifiers.get(keyOf(thing)) ?? [])
}

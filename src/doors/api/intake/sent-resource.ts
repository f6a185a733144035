import { isTree, shown, type Tree } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import { type Fault, Refusal } from '../../../refusal.ts'
import { pointerOfPath } from '../errors/pointers.ts'

/** What a body says of one resource. Its type does not matter: the address decides. */
export interface SentResource {
  readonly id: unknown
  readonly attributes: Tree
  readonly relationships: Tree
}

export function sentResource(body: unknown): SentResource {
  const data = isTree(body) ? body.data : undefined
  if (!isTree(data)) throw unreadable('data', 'must be an object with the resource that is sent', ['data'])
  if (typeof data.type !== 'string') throw unreadable('type', 'must name the type of the resource', ['data', 'type'])
  return { id: data.id, attributes: membersIn(data, 'attributes'), relationships: membersIn(data, 'relationships') }
}

function membersIn(data: Tree, name: 'attributes' | 'relationships'): Tree {
  const members = data[name]
  if (members === undefined || members === null || (Array.isArray(members) && members.length === 0)) return {}
  if (isTree(members)) return members
  throw unreadable(name, `must be an object, not ${shown(members)}`, ['data', name])
}

export function unreadable(field: string, message: string, path: readonly (string | number)[]): Refusal {
  const fault: Fault = { field, message, pointer: pointerOfPath(path) }
  return new Refusal('bad-request', `${field}: ${message}.`, { faults: [fault] })
}

/** The UUID that a writer has chosen for a new resource. */
export function ownId({ id }: SentResource): string | undefined {
  if (id === undefined || id === null) return undefined
  const uuid = uuidIn(id)
  if (uuid !== undefined) return uuid
  const fault: Fault = { field: 'id', message: `must be a UUID, not ${shown(id)}`, pointer: '/data/id' }
  throw new Refusal('invalid-content', `id: ${fault.message}.`, { faults: [fault] })
}

/** A change names the resource that it is for. */
export function requireSameId({ id }: SentResource, uuid: string): void {
  if (uuidIn(id) !== uuid) throw unreadable('id', `must be that of the address, ${uuid}`, ['data', 'id'])
}

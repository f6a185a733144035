import type { FastifyRequest } from 'fastify'
import type { ServerSettings } from '../../../config.ts'
import { isRelationship, type ResourceType } from '../../../farm/newer/resource-type.ts'
import { type InputPlace, isTree, shown, type Tree } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/scalars.ts'
import { strictJson } from '../../../formats/json/read-json.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import { bytesOf, unsupported } from '../../http/body.ts'
import { contentDispositionIn } from '../../http/content-disposition.ts'
import { refuseDryRunInBody } from '../../http/dry-run.ts'
import { sentFile } from '../../http/file-upload.ts'
import { contentTypeOf, requirePlainBytes } from '../../http/negotiation.ts'
import { mediaType } from '../documents/document.ts'
import { pointerOfPath } from '../errors.ts'

const bodyTypes: readonly string[] = [mediaType, 'application/json']

/** The JSON of a write. Parameters of the media type are ignored: JSON is UTF-8. */
export function readTree(request: FastifyRequest): unknown {
  if (!hasBody(request)) throw new Refusal('unreadable-body', 'The body is empty.')
  const { type } = contentTypeOf(request)
  if (!bodyTypes.includes(type)) throw unsupported(type, bodyTypes)
  requirePlainBytes(request)
  const tree = strictJson(bytesOf(request))
  if (isTree(tree)) for (const one of [tree, tree.data]) refuseDryRunIn(one)
  return tree
}

function refuseDryRunIn(tree: unknown): void {
  refuseDryRunInBody(tree)
  if (isTree(tree)) refuseDryRunInBody(tree.meta)
}

/** Some clients send a Content-Type without a body. */
export const hasBody = ({ body }: FastifyRequest): boolean => body instanceof Buffer && body.length > 0

export interface Upload {
  readonly name: string
  readonly bytes: Buffer
}

const uploadType = 'application/octet-stream'

/** A file as the whole body, with its name from `Content-Disposition`, quoted or by RFC 8187. */
export function readUpload(request: FastifyRequest, settings: ServerSettings): Upload {
  const { type } = contentTypeOf(request)
  if (type !== uploadType) throw unsupported(type, [uploadType])
  const { form } = contentDispositionIn(request.headers['content-disposition'] ?? '')
  if (form === 'bare') throw unnamed()
  const { name, bytes } = sentFile(request, settings)
  if (name === undefined) throw unnamed()
  return { name, bytes }
}

const unnamed = () =>
  new Refusal(
    'bad-request',
    'Name the file in quotes, Content-Disposition: file; filename="beans.jpg", or as filename*=UTF-8\'\'beans.jpg.',
  )

/** One resource of a body. Its type is ignored: the address decides. */
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
  const fault: RefusalFault = { field, message, pointer: pointerOfPath(path) }
  return new Refusal('bad-request', `${field}: ${message}.`, { faults: [fault] })
}

/** The client-generated UUID of a new resource. */
export function ownId({ id }: SentResource): string | undefined {
  if (id === undefined || id === null) return undefined
  const uuid = uuidIn(id)
  if (uuid !== undefined) return uuid
  const fault: RefusalFault = { field: 'id', message: `must be a UUID, not ${shown(id)}`, pointer: '/data/id' }
  throw new Refusal('invalid-content', `id: ${fault.message}.`, { faults: [fault] })
}

/** A change must name the resource of its address. */
export function requireSameId({ id }: SentResource, uuid: string): void {
  if (uuidIn(id) !== uuid) throw unreadable('id', `must be that of the address, ${uuid}`, ['data', 'id'])
}

/** Faults of a body, and the farm for its lists of words. */
interface BodyFaults {
  readonly faults: RefusalFault[]
  readonly words: (list: string) => readonly string[]
}

/** The place of a value in a JSON:API body, for fault pointers. */
export class SentPlace implements InputPlace {
  readonly address = undefined
  /** From the top of the document: `data`, `attributes`, `name`. */
  readonly path: readonly (string | number)[]
  readonly #collected: BodyFaults

  constructor(path: readonly (string | number)[], collected: BodyFaults) {
    this.path = path
    this.#collected = collected
  }

  /** The path for people, without the common prefix. */
  get at(): string {
    const [first = '', ...others] = this.path.slice(2).filter((step) => step !== 'data')
    return others.reduce<string>(
      (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`),
      String(first),
    )
  }

  fault(message: string, allowed?: readonly string[]): undefined {
    const fault = this.faultOf(message)
    this.#collected.faults.push(allowed === undefined ? fault : { ...fault, allowed })
    return undefined
  }

  faultOf(message: string): RefusalFault {
    return { field: this.at, message, pointer: pointerOfPath(this.path) }
  }

  inside(step: string | number): SentPlace {
    return new SentPlace([...this.path, step], this.#collected)
  }

  requireInside(name: string): void {
    const pointer = pointerOfPath([...this.path, name])
    if (!this.#collected.faults.some((fault) => fault.pointer?.startsWith(pointer)))
      this.inside(name).fault('is required')
  }

  /** Lists are accepted as sent. */
  keep(): void {}

  words(list: string): readonly string[] {
    return this.#collected.words(list)
  }
}

interface FieldPlaces {
  readonly given: ReadonlyMap<string, string>
  readonly collected: BodyFaults
}

/** The place of the member that sets a stored field. */
export function placeOfField({ members }: ResourceType, field: string, { given, collected }: FieldPlaces): SentPlace {
  const member =
    members.get(given.get(field) ?? '') ??
    [...members.values()].find(
      ({ source }) =>
        (source.of === 'field' && source.field === field) || (source.of === 'two fields' && source.assets === field),
    ) ??
    members.get(field)
  if (member === undefined) return new SentPlace(['data', 'attributes', field], collected)
  return isRelationship(member)
    ? new SentPlace(['data', 'relationships', member.name, 'data'], collected)
    : new SentPlace(['data', 'attributes', member.name], collected)
}

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../farm/farm.ts'
import { inKibibytes } from '../../fields/byte-size.ts'
import { strictJson } from '../../formats/json/read-json.ts'
import { decodedPart } from '../../formats/query-string.ts'
import { treeOfXml } from '../../formats/xml/read-xml.ts'
import { limits } from '../../limits.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { refuseDryRunInBody } from './dry-run.ts'
import { contentTypeOf, requirePlainUtf8 } from './negotiation.ts'

/** Bodies of every type arrive as the bytes that were sent; the doors read them once they know the caller. */
export function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
}

/** Tells a record in JSON or XML from the other things that can be sent to a list. */
export function isRecordBody(request: FastifyRequest): boolean {
  const { type } = contentTypeOf(request)
  return type === 'application/json' || type === 'application/xml' || type === 'text/xml'
}

/** The tree that a write carries, the same for JSON and for XML. */
export function readBody(request: FastifyRequest): unknown {
  const contentType = contentTypeOf(request)
  switch (contentType.type) {
    case 'application/json':
      requirePlainUtf8(request, contentType)
      return aboutRecords(strictJson(bytesOf(request)))
    case 'application/xml':
    case 'text/xml':
      requirePlainUtf8(request, contentType)
      return aboutRecords(treeOfXml(utf8Of(bytesOf(request)), limits))
    default:
      throw unsupported(contentType.type, recordTypes(contentType.type))
  }
}

function aboutRecords(tree: unknown): unknown {
  refuseDryRunInBody(tree)
  return tree
}

/** A multipart body usually means a file. */
const recordTypes = (sent: string): readonly string[] =>
  sent.startsWith('multipart/')
    ? ['application/json', 'application/xml, with each file in it as a data URI such as "data:image/png;base64,iVBO…"']
    : ['application/json', 'application/xml']

/** The parameters of a form; a name that came more than once is in `repeated`, and its first value in `values`. */
export interface FormFields {
  readonly values: ReadonlyMap<string, string>
  readonly repeated: ReadonlySet<string>
}

/** A form, or a JSON object of plain values in its place. */
export function readForm(request: FastifyRequest, decode: Decode = decodedPart): FormFields {
  const contentType = contentTypeOf(request)
  const isForm = contentType.type === 'application/x-www-form-urlencoded'
  if (!isForm && contentType.type !== 'application/json') {
    throw unsupported(contentType.type, ['application/x-www-form-urlencoded', 'application/json'])
  }
  requirePlainUtf8(request, contentType)
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
  if (bytes.length > limits.formBytes) {
    throw new Refusal('too-large', `A form may have ${inKibibytes(limits.formBytes)}, this one has more.`)
  }
  const entries = isForm ? urlencoded(utf8Of(bytes), decode) : plainValues(strictJson(bytes))
  if (entries.length > limits.formParameters) {
    throw new Refusal(
      'too-large',
      `A form may have ${limits.formParameters} parameters, this one has ${entries.length}.`,
    )
  }
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of entries) {
    if (values.has(name)) repeated.add(name)
    else values.set(name, value)
  }
  return { values, repeated }
}

/** The text of a percent-encoded name or value; null where it cannot be read. */
type Decode = (part: string) => string | null

function urlencoded(text: string, decode: Decode): [string, string][] {
  return text
    .split('&', limits.formParameters + 1)
    .filter((segment) => segment !== '')
    .map((segment) => {
      const equals = segment.indexOf('=')
      const name = decode(equals < 0 ? segment : segment.slice(0, equals))
      const value = decode(equals < 0 ? '' : segment.slice(equals + 1))
      if (name === null || value === null || (name + value).includes('\0')) {
        throw new Refusal('unreadable-body', `The parameter "${name ?? '?'}" is not properly percent-encoded UTF-8.`)
      }
      return [name, value]
    })
}

function plainValues(tree: unknown): [string, string][] {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    throw new Refusal('unreadable-body', 'A JSON object was expected.')
  }
  return Object.entries(tree)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      if (typeof value === 'object') throw new Refusal('unreadable-body', `"${name}" must be a plain value.`)
      return [name, String(value)]
    })
}

export function bytesOf(request: FastifyRequest): Buffer {
  if (request.body instanceof Buffer && request.body.length > 0) return request.body
  throw new Refusal('unreadable-body', 'The body is empty.')
}

function utf8Of(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('unreadable-body', 'The body is not UTF-8.')
  return bytes.toString('utf8')
}

export function unsupported(type: string, understood: readonly string[]): Refusal {
  return new Refusal('unsupported-media-type', `${misunderstood(type)}: send ${understood.join(' or ')}.`)
}

function misunderstood(type: string): string {
  if (type === '') return 'The request names no Content-Type'
  if (type.startsWith('multipart/')) return `Multipart bodies ("${type}") are not taken`
  return `The Content-Type "${type}" is not understood here`
}

/** A body other than a record, recognised by its Content-Type: a sheet or a map. */
export interface BodyImport {
  isSentBy(request: FastifyRequest, type: RecordTypeName): boolean
  take(
    target: { readonly installation: Records; readonly type: RecordTypeName },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

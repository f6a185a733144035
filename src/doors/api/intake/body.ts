import type { FastifyRequest } from 'fastify'
import { isTree } from '../../../fields/place.ts'
import { Refusal } from '../../../refusal.ts'
import { bytesOf, unsupported } from '../../http/body.ts'
import { contentDispositionIn } from '../../http/content-disposition.ts'
import { contentTypeOf, requirePlainBytes } from '../../http/content-type.ts'
import { refuseDryRunInBody } from '../../http/dry-run.ts'
import { sentFile } from '../../http/sent-file.ts'
import { strictJson } from '../../http/strict-json.ts'
import { mediaType } from '../wire/top-level.ts'

const taken: readonly string[] = [mediaType, 'application/json']

/** The tree that a write carries. What stands behind the media type is ignored: JSON is UTF-8. */
export function readTree(request: FastifyRequest): unknown {
  if (!hasBody(request)) throw new Refusal('unreadable-body', 'The body is empty.')
  const { type } = contentTypeOf(request)
  if (!taken.includes(type)) throw unsupported(type, taken)
  requirePlainBytes(request)
  const tree = strictJson(bytesOf(request))
  if (isTree(tree)) for (const one of [tree, tree.data]) refuseDryRunIn(one)
  return tree
}

function refuseDryRunIn(tree: unknown): void {
  refuseDryRunInBody(tree)
  if (isTree(tree)) refuseDryRunInBody(tree.meta)
}

/** Some clients say of what type a body would be where they send none. */
export const hasBody = ({ body }: FastifyRequest): boolean => body instanceof Buffer && body.length > 0

export interface Upload {
  readonly name: string
  readonly bytes: Buffer
}

const uploads = 'application/octet-stream'

/** A file that is the whole body, under the name that `Content-Disposition` gives it, in quotes or by RFC 8187. */
export function readUpload(request: FastifyRequest): Upload {
  const { type } = contentTypeOf(request)
  if (type !== uploads) throw unsupported(type, [uploads])
  const { form } = contentDispositionIn(request.headers['content-disposition'] ?? '')
  if (form === 'bare') throw unnamed()
  const { name, bytes } = sentFile(request)
  if (name === undefined) throw unnamed()
  return { name, bytes }
}

const unnamed = () =>
  new Refusal(
    'bad-request',
    'Name the file in quotes, Content-Disposition: file; filename="beans.jpg", or as filename*=UTF-8\'\'beans.jpg.',
  )

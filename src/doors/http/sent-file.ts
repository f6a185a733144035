import type { FastifyRequest } from 'fastify'
import { inMebibytes, kibibyte } from '../../fields/byte-size.ts'
import { valueLimits } from '../../fields/limits.ts'
import { mimeByName } from '../../fields/mime.ts'
import { Refusal } from '../../refusal.ts'
import { contentDispositionIn } from './content-disposition.ts'
import { requirePlainBytes } from './content-type.ts'
import { onlyPartOf } from './multipart.ts'

export interface SentFile {
  readonly mime: string
  readonly bytes: Buffer
  /** As its sender calls it. */
  readonly name?: string
}

/** A file that is the whole body of a request. */
export function sentFile(request: FastifyRequest): SentFile {
  const mime = mediaTypeIn(request.headers['content-type'])
  requirePlainBytes(request)
  const { fileName } = contentDispositionIn(request.headers['content-disposition'] ?? '')
  return soundFile({ mime, bytes: bodyOf(request), name: fileName })
}

/** The same, or the file of a form that has nothing else in it. */
export function sentFileOrForm(request: FastifyRequest): SentFile {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return sentFile(request)
  requirePlainBytes(request)
  const body = bodyOf(request)
  if (body.length > valueLimits.fileBytes + formBytes) throw tooLarge()
  const { parameters, fileName, type, bytes } = onlyPartOf(contentType, body)
  if (!parameters.has('filename') && !parameters.has('filename*')) {
    const message = `The form has no file: its part "${parameters.get('name') ?? ''}" has no filename.`
    throw new Refusal('unreadable-body', message)
  }
  // Programs that do not know what a file is say so, or nothing.
  const isUnknown = type === '' || /^application\/octet-stream$/i.test(type)
  return soundFile({ mime: isUnknown ? mimeByName(fileName ?? '') : mediaTypeIn(type), bytes, name: fileName })
}

/** As much as a form may have around its file. */
const formBytes = 64 * kibibyte

const tooLarge = () =>
  new Refusal('too-large', `A file may have ${inMebibytes(valueLimits.fileBytes)}, this one has more.`)

const bodyOf = ({ body }: FastifyRequest): Buffer => (body instanceof Buffer ? body : Buffer.alloc(0))

interface NamedBytes extends Omit<SentFile, 'name'> {
  readonly name: string | undefined
}

function soundFile({ mime, bytes, name }: NamedBytes): SentFile {
  if (bytes.length === 0) throw new Refusal('unreadable-body', 'The body is empty: it must be the bytes of the file.')
  if (bytes.length > valueLimits.fileBytes) throw tooLarge()
  return { mime, bytes, ...(name === undefined ? {} : { name }) }
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}(?:;[a-z0-9-]+=[^;,\s]{1,64})*$/i

function mediaTypeIn(contentType: string | undefined): string {
  const mime = (contentType ?? '').replace(/\s*;\s*/g, ';').trim()
  if (mediaType.test(mime) && !/^multipart\//i.test(mime)) return mime
  const message =
    'Send the bytes of the file as the body, and its type as the Content-Type, such as image/jpeg, or the file alone as multipart/form-data.'
  throw new Refusal('unsupported-media-type', message)
}

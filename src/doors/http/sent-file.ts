import type { FastifyRequest } from 'fastify'
import { inMebibytes } from '../../fields/byte-size.ts'
import { valueLimits } from '../../fields/limits.ts'
import { Refusal } from '../../refusal.ts'
import { requirePlainBytes } from './content-type.ts'

export interface SentFile {
  readonly mime: string
  readonly bytes: Buffer
  /** As its sender calls it, in characters that an address can have. */
  readonly name?: string
}

/** A file that is the whole body of a request. */
export function sentFile(request: FastifyRequest): SentFile {
  const mime = mimeOf(request)
  requirePlainBytes(request)
  const { body } = request
  if (!(body instanceof Buffer) || body.length === 0)
    throw new Refusal('unreadable-body', 'The body is empty: it must be the bytes of the file.')
  if (body.length > valueLimits.fileBytes)
    throw new Refusal('too-large', `A file may have ${inMebibytes(valueLimits.fileBytes)}, this one has more.`)
  const name = nameOf(request)
  return { mime, bytes: body, ...(name === undefined ? {} : { name }) }
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}(?:;[a-z0-9-]+=[^;,\s]{1,64})*$/i

function mimeOf({ headers }: FastifyRequest): string {
  const mime = (headers['content-type'] ?? '').replace(/\s*;\s*/g, ';').trim()
  if (mediaType.test(mime) && !/^multipart\//i.test(mime)) return mime
  const message = 'Send the bytes of the file as the body, and its type as the Content-Type, such as image/jpeg.'
  throw new Refusal('unsupported-media-type', message)
}

const longestName = 100

/** What names a file in RFC 6266; the one in UTF-8 (RFC 8187) counts where there are both. */
function nameOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['content-disposition'] ?? ''
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(sent) ?? []
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(sent) ?? []
  const name = decoded(encoded) ?? quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  return harmlessName(name)
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Only what no file system, header or address minds; the ending stays. */
export function harmlessName(name: string): string | undefined {
  const plain = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '_')
    .replace(/^[._-]+/, '')
  if (!/[A-Za-z0-9]/.test(plain)) return undefined
  const [ending = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(plain) ?? []
  return plain.slice(0, plain.length - ending.length).slice(0, longestName - ending.length) + ending
}

import type { FastifyRequest } from 'fastify'
import type { ServerSettings } from '../../config.ts'
import { inMebibytes, kibibyte, mebibyte } from '../../fields/byte-size.ts'
import { mimeByName } from '../../fields/mime.ts'
import { Refusal } from '../../refusal.ts'
import { contentDispositionIn, type NamedContent } from './content-disposition.ts'
import { requirePlainBytes } from './negotiation.ts'

interface SentFile {
  readonly mime: string
  readonly bytes: Buffer
  /** As named by its sender. */
  readonly name?: string
}

/** A file that is the whole body of a request. */
export function sentFile(request: FastifyRequest, settings: ServerSettings): SentFile {
  const mime = mediaTypeIn(request.headers['content-type'])
  requirePlainBytes(request)
  const { fileName } = contentDispositionIn(request.headers['content-disposition'] ?? '')
  return soundFile({ mime, bytes: bodyOf(request), name: fileName }, settings)
}

/** The same, or the file of a form that has nothing else in it. */
export function sentFileOrForm(request: FastifyRequest, settings: ServerSettings): SentFile {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return sentFile(request, settings)
  requirePlainBytes(request)
  const body = bodyOf(request)
  if (body.length > settings.fileMebibytes * mebibyte + formBytes) throw tooLarge(settings)
  const { parameters, fileName, type, bytes } = onlyPartOf(contentType, body)
  if (!parameters.has('filename') && !parameters.has('filename*')) {
    const message = `The form has no file: its part "${parameters.get('name') ?? ''}" has no filename.`
    throw new Refusal('unreadable-body', message)
  }
  // Programs that do not know what a file is say so, or nothing.
  const isUnknown = type === '' || /^application\/octet-stream$/i.test(type)
  return soundFile(
    { mime: isUnknown ? mimeByName(fileName ?? '') : mediaTypeIn(type), bytes, name: fileName },
    settings,
  )
}

/** Maximum size of a form around its file. */
const formBytes = 64 * kibibyte

const tooLarge = ({ fileMebibytes }: ServerSettings) =>
  new Refusal('too-large', `A file may have ${inMebibytes(fileMebibytes * mebibyte)}, this one has more.`)

const bodyOf = ({ body }: FastifyRequest): Buffer => (body instanceof Buffer ? body : Buffer.alloc(0))

interface NamedBytes extends Omit<SentFile, 'name'> {
  readonly name: string | undefined
}

function soundFile({ mime, bytes, name }: NamedBytes, settings: ServerSettings): SentFile {
  if (bytes.length === 0) throw new Refusal('unreadable-body', 'The body is empty: it must be the bytes of the file.')
  if (bytes.length > settings.fileMebibytes * mebibyte) throw tooLarge(settings)
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

/** One part of a form (RFC 7578). */
interface FormPart extends NamedContent {
  /** The declared type of the part; empty without one. */
  readonly type: string
  readonly bytes: Buffer
}

/** RFC 2046, section 5.1.1. */
const boundaryForm = /;\s*boundary\s*=\s*(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'+./:=?-]{1,70}))\s*(?:;|$)/i

/** Maximum size of a part's headers. */
const headBytes = 8_192

/** Lines of a file that begin like a boundary and are none: senders choose one that is not in the file. */
const mostAlike = 1_000

/**
 * The only part of a form. The body is gone through once and nothing of it is copied; a second part is refused as soon as it begins, so that
 * no number of parts costs more than one.
 */
function onlyPartOf(contentType: string, body: Buffer): FormPart {
  const [, quoted, bare] = boundaryForm.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw unreadable('its Content-Type names no boundary')
  const line = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const isAtOnce = body.subarray(0, line.length - 2).equals(line.subarray(2))
  const first = (isAtOnce ? delimiterAt(body, line, -2) : null) ?? nextDelimiter(body, line, 0)
  if (first === undefined) throw unreadable('it does not begin with its boundary')
  if (first.isLast) throw unreadable('it has no part')
  const headEnd = body.subarray(first.end, first.end + headBytes).indexOf('\r\n\r\n')
  if (headEnd < 0) throw unreadable(`the headers of its part do not end within ${headBytes} bytes`)
  const start = first.end + headEnd + 4
  const next = nextDelimiter(body, line, start - 2)
  if (next === undefined) throw unreadable('it ends before its last boundary')
  if (!next.isLast) throw unreadable('it has more than one part: send one file at a time, and nothing beside it')
  return partOf(body.toString('latin1', first.end, start - 4), body.subarray(start, Math.max(start, next.start)))
}

interface Delimiter {
  /** The start of the preceding line break, which is not part of the content. */
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

function nextDelimiter(body: Buffer, line: Buffer, from: number): Delimiter | undefined {
  let at = body.indexOf(line, from)
  for (let alike = 0; at >= 0; alike += 1) {
    const delimiter = delimiterAt(body, line, at)
    if (delimiter !== null) return delimiter
    if (alike === mostAlike) throw unreadable('the file is full of its boundary: choose another')
    at = body.indexOf(line, at + 1)
  }
  return undefined
}

/** A longer line that begins alike is content. */
function delimiterAt(body: Buffer, line: Buffer, start: number): Delimiter | null {
  const after = start + line.length
  const [rest] = /^(?:--|[ \t]*\r\n)/.exec(body.toString('latin1', after, after + 80)) ?? []
  return rest === undefined ? null : { start, end: after + rest.length, isLast: rest === '--' }
}

function partOf(head: string, bytes: Buffer): FormPart {
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const coding = headers.get('content-transfer-encoding') ?? 'binary'
  if (!/^(?:binary|8bit|7bit)$/i.test(coding)) throw unreadable(`its part is encoded as "${coding}": send it as it is`)
  const disposition = headers.get('content-disposition') ?? ''
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) throw unreadable('its part has no Content-Disposition: form-data')
  const named = contentDispositionIn(disposition)
  // Browsers write quotes in names as %22.
  const fileName = named.form === 'quoted' ? named.fileName?.replaceAll('%22', '"') : named.fileName
  return { ...named, fileName, type: headers.get('content-type') ?? '', bytes }
}

const unreadable = (why: string): Refusal => new Refusal('unreadable-body', `The form could not be read: ${why}.`)

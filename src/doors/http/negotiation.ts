import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { kibibyte, mebibyte } from '../../fields/byte-size.ts'
import { Refusal } from '../../refusal.ts'
import type { AnswerFormat } from '../../wire-1x/spelling.ts'

/** A read answers as its extension says, else as an Accept that names JSON or XML, else in JSON. */
export function formatOfRead(request: FastifyRequest): AnswerFormat {
  return formatOfExtension(request) ?? formatOfAccept(request) ?? 'json'
}

/** A write, or a refusal, answers likewise, but before the default comes the format that the request itself was written in. */
export function formatOfAnswer(request: FastifyRequest): AnswerFormat {
  return (
    formatOfExtension(request) ?? formatOfAccept(request) ?? (isXmlType(contentTypeOf(request).type) ? 'xml' : 'json')
  )
}

/** A person's browser, to be shown a page where there is one. */
export function prefersHtml(request: FastifyRequest): boolean {
  return formatOfExtension(request) === null && favourite(request) === 'html'
}

/** Somebody who waits for events. */
export const prefersEvents = (request: FastifyRequest): boolean => favourite(request) === 'events'

export function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?')
  return end < 0 ? request.url : request.url.slice(0, end)
}

function formatOfExtension(request: FastifyRequest): AnswerFormat | null {
  const extension = /\.(json|xml)\/?$/.exec(pathOf(request))?.[1]
  return extension === 'json' || extension === 'xml' ? extension : null
}

/** Browsers name XML after HTML without meaning it: who likes HTML best has not asked for XML. */
function formatOfAccept(request: FastifyRequest): AnswerFormat | null {
  const liked = favourite(request)
  return liked === 'html' || liked === 'events' ? null : liked
}

type PreferredFormat = AnswerFormat | 'html' | 'events'

function favourite(request: FastifyRequest): PreferredFormat | null {
  let best: PreferredFormat | null = null
  let bestWeight = 0
  for (const range of (request.headers.accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const format = formatOfType(type)
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (format === null || !(weight > bestWeight)) continue
    best = format
    bestWeight = weight
  }
  return best
}

function formatOfType(type: string): PreferredFormat | null {
  if (type === 'text/event-stream') return 'events'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (isJsonType(type)) return 'json'
  return isXmlType(type) ? 'xml' : null
}

interface ContentType {
  /** Lower case, without parameters; empty when the request names none. */
  readonly type: string
  readonly charset: string
}

export function contentTypeOf(request: FastifyRequest): ContentType {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';')
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(each)?.[1]).find(Boolean)
  return { type: type.trim().toLowerCase(), charset: (charset ?? 'utf-8').toLowerCase() }
}

const isXmlType = (type: string) =>
  type === 'application/xml' ||
  type === 'text/xml' ||
  type === 'xml' ||
  (type.endsWith('+xml') && !type.includes('xhtml'))

const isJsonType = (type: string) => type === 'application/json' || type === 'json' || type.endsWith('+json')

/** Bodies are UTF-8 and not compressed; another spelling is refused before a byte of it is looked at. */
export function requirePlainUtf8(request: FastifyRequest, { charset }: ContentType): void {
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal('unsupported-media-type', `The charset "${charset}" is not understood: send UTF-8.`)
  }
  requirePlainBytes(request)
}

export function requirePlainBytes(request: FastifyRequest): void {
  const coding = request.headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Refusal(
      'unsupported-media-type',
      `Bodies compressed as "${coding}" are not understood: send them as they are.`,
    )
  }
}

/** Below, headers weigh more than is saved; above, it is photos inside JSON, which do not shrink. */
const worthwhile = { from: kibibyte, upTo: 4 * mebibyte }

const textual = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)|image\/svg)/

type Compress = (bytes: string | Buffer, done: (error: Error | null, smaller: Buffer) => void) => void

const codings: Readonly<Record<'br' | 'gzip', Compress>> = {
  br: (bytes, done) =>
    brotliCompress(
      bytes,
      { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } },
      done,
    ),
  gzip: (bytes, done) => gzip(bytes, { level: 5 }, done),
}

/**
 * Compresses answers. An answer marked `no-store` is never compressed: it contains a secret (tokens, login and consent
 * pages) whose length could leak (BREACH). A callback, because a promise for every answer costs.
 */
export const compressAnswer: onSendHookHandler = (request, reply, payload, done) => {
  if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || !isWorthwhile(reply, payload))
    return done(null, payload)
  const coding = codingFor(request.headers['accept-encoding'])
  if (coding === null) return done(null, payload)
  codings[coding](payload, (error, bytes) => {
    if (error) return done(error)
    reply.header('content-encoding', coding).header('content-length', bytes.length)
    done(null, bytes)
  })
}

function isWorthwhile(reply: FastifyReply, payload: string | Buffer): boolean {
  if (payload.length < worthwhile.from || payload.length > worthwhile.upTo) return false
  if (reply.hasHeader('content-encoding') || reply.statusCode === 206) return false
  if (String(reply.getHeader('cache-control')).includes('no-store')) return false
  return textual.test(String(reply.getHeader('content-type')))
}

export type ContentCoding = keyof typeof codings

/** The best coding that a caller takes. */
export function codingFor(accepted: string | string[] | undefined): ContentCoding | null {
  if (accepted === undefined) return null
  const wanted = String(accepted)
    .toLowerCase()
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.split(';')[0]?.trim())
  if (wanted.includes('br')) return 'br'
  return wanted.includes('gzip') || wanted.includes('*') ? 'gzip' : null
}

import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { kibibyte, mebibyte } from '../../fields/byte-size.ts'

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
 * What goes on the wire. An answer marked `no-store` is never compressed: those are the ones with a secret in them (tokens,
 * login and consent pages), whose length would tell about it (BREACH). A callback, because a promise for every answer costs.
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

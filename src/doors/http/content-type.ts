import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'

export interface ContentType {
  /** Lower case, without parameters; empty when the request names none. */
  readonly type: string
  readonly charset: string
}

export function contentTypeOf(request: FastifyRequest): ContentType {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';')
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(each)?.[1]).find(Boolean)
  return { type: type.trim().toLowerCase(), charset: (charset ?? 'utf-8').toLowerCase() }
}

export const isXmlType = (type: string) =>
  type === 'application/xml' ||
  type === 'text/xml' ||
  type === 'xml' ||
  (type.endsWith('+xml') && !type.includes('xhtml'))

export const isJsonType = (type: string) => type === 'application/json' || type === 'json' || type.endsWith('+json')

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

import type { FastifyRequest } from 'fastify'
import type { AnswerFormat } from '../../wire-1x/answer-format.ts'
import { contentTypeOf, isJsonType, isXmlType } from './content-type.ts'

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

type Liked = AnswerFormat | 'html' | 'events'

function favourite(request: FastifyRequest): Liked | null {
  let best: Liked | null = null
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

function formatOfType(type: string): Liked | null {
  if (type === 'text/event-stream') return 'events'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (isJsonType(type)) return 'json'
  return isXmlType(type) ? 'xml' : null
}

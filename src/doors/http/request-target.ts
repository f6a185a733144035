import type { IncomingMessage } from 'node:http'

/** `http://user:secret@host/path`, as a client writes it that takes us for its proxy. */
const absoluteForm = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i

/** The path and query that are asked for. Where the address names a host, too, that is the one that counts (RFC 9112, 3.2.2). */
export function originForm(request: IncomingMessage): string {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return target
  const [whole, host = ''] = absoluteForm.exec(target) ?? []
  if (whole === undefined) return target
  request.headers.host = host
  const rest = target.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

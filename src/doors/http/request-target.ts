import type { IncomingMessage } from 'node:http'

/** Addresses of files once had names as they are: a percent sign in one is no encoding. */
const addressOfFile = /^\/file\/\d+\/[^?]*/

/** The path and query that are asked for, which can be decoded where they are the address of a file. */
export const readableTarget = (request: IncomingMessage): string =>
  originForm(request).replace(addressOfFile, (path) => (isEncoded(path) ? path : path.replaceAll('%', '%25')))

function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** `http://user:secret@host/path`, as a client writes it that takes us for its proxy. */
const absoluteForm = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)/i

/** Where the address names a host, too, that is the one that counts (RFC 9112, 3.2.2). */
function originForm(request: IncomingMessage): string {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return target
  const [whole, host = ''] = absoluteForm.exec(target) ?? []
  if (whole === undefined) return target
  request.headers.host = host
  const rest = target.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

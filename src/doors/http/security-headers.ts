import type { FastifyReply } from 'fastify'

/** What every answer carries unless a door says otherwise for its own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache, must-revalidate',
  vary: 'Accept, Accept-Encoding, Authorization, Cookie',
}

export function setSecurityHeaders(reply: FastifyReply, requestId: string): void {
  for (const name in securityHeaders) reply.header(name, securityHeaders[name])
  reply.header('x-request-id', requestId)
}

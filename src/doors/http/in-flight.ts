import type { FastifyReply } from 'fastify'

const ends = new WeakMap<FastifyReply['raw'], Set<() => void>>()

/** Calls `end` when the answer has come to its end, whole or cut off, or is one that has none (see below). */
export function whileInFlight(reply: FastifyReply, end: () => void): void {
  const known = ends.get(reply.raw)
  if (known !== undefined) {
    known.add(end)
    return
  }
  ends.set(reply.raw, new Set([end]))
  // Not every answer is sent in the end, but every one is closed.
  reply.raw.once('close', () => noLongerInFlight(reply))
}

/** From here on the request does not count as one that is being answered, though its answer goes on. */
export function noLongerInFlight(reply: FastifyReply): void {
  const known = ends.get(reply.raw)
  ends.delete(reply.raw)
  for (const end of known ?? []) end()
}

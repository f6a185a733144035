import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { callerOf } from '../http/caller.ts'

/** Whoever asks, if they may administer at this moment. */
export async function administering(request: FastifyRequest, installation: Installation): Promise<IdentifiedCaller> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'administer')
  return caller
}

export function sendJson(reply: FastifyReply, content: unknown, status = 200): FastifyReply {
  return reply
    .status(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(content))
}

import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Node closes a connection that is silent for too long; but who has sent everything and waits for our answer has every right to be. */
export function allowSlowAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.on('timeout', (socket: Socket) => {
    if (!request.raw.complete || reply.raw.headersSent) socket.destroy()
  })
}

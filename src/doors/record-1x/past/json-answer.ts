import type { FastifyReply, FastifyRequest } from 'fastify'
import { deliver, tagged } from '../../http/answers/ready-answer.ts'

/** An answer that is there as JSON only, under a tag of its bytes. */
export const sendJson = (request: FastifyRequest, reply: FastifyReply, answer: object): FastifyReply =>
  deliver(
    reply,
    tagged(request, {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(answer),
    }),
  )

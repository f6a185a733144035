import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../refusal.ts'

const allow = ['GET', 'HEAD', 'OPTIONS']

/** Says that nothing can be written at an address, which would else be taken for one of records. */
export function onlyRead(app: FastifyInstance, url: string): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: (request) => {
      throw new Refusal('method-not-allowed', `${request.method} does not work here; ${allow.join(', ')} do.`, {
        allow,
      })
    },
  })
  app.options(url, (_request, reply) => reply.code(204).header('allow', allow.join(', ')).send())
}

import type { FastifyInstance } from 'fastify'
import type { ReadableDescription } from '../http/openapi/readable-description.ts'

/** The description of the interface, for programs. */
export function openapiDoor(app: FastifyInstance, readDescription: ReadableDescription): void {
  app.get('/openapi.json', async (request, reply) =>
    reply.header('content-type', 'application/json').send(await readDescription(request)),
  )
}

import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { authorizationServerMetadata } from '../../access/oauth/metadata.ts'
import { baseAddressOf } from '../http/base-address.ts'

export function addMetadata(app: FastifyInstance, installation: Installation): void {
  app.get('/.well-known/oauth-authorization-server', (request, reply) => {
    const metadata = authorizationServerMetadata(installation, baseAddressOf(request, installation))
    reply.header('content-type', 'application/json').send(JSON.stringify(metadata))
  })
}

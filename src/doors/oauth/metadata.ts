import type { FastifyInstance } from 'fastify'
import { authorizationServerMetadata } from '../../access/oauth/metadata.ts'
import { baseAddressOf } from '../http/base-address.ts'
import type { House } from '../http/house.ts'

export function addMetadata(app: FastifyInstance, house: House): void {
  app.get('/.well-known/oauth-authorization-server', (request, reply) => {
    const metadata = authorizationServerMetadata(house, baseAddressOf(request, house))
    reply.header('content-type', 'application/json').send(JSON.stringify(metadata))
  })
}

import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { clientAddressOf } from './base-address.ts'

/** Whoever may be about to log in with this request. */
export const visitorOf = (request: FastifyRequest, installation: Installation): Visitor => ({
  address: clientAddressOf(request, installation),
  loginFailed: (how) => {
    request.login = how
  },
})

import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../access/credentials.ts'
import { clientAddressOf } from './base-address.ts'
import type { House } from './house.ts'

/** Whoever may be about to log in with this request. */
export const visitorOf = (request: FastifyRequest, house: House): Visitor => ({
  address: clientAddressOf(request, house),
  loginFailed: (how) => {
    request.login = how
  },
})

import type { FastifyRequest } from 'fastify'
import { decodedPart } from '../../formats/query-string.ts'
import type { Refusal } from '../../refusal.ts'
import { pathOf } from './negotiation.ts'
import type { Problem } from './problem.ts'

/** How a door words every no under its addresses, also where it has no route. */
export interface RefusalForm {
  readonly paths: RegExp
  readonly spell: (refusal: Refusal) => Problem
  readonly spellBug: (requestId: string) => Problem
}

declare module 'fastify' {
  interface FastifyInstance {
    refusalForms?: readonly RefusalForm[]
  }
}

/** Undefined: problem details, or a page where somebody prefers one. */
export function formOf(request: FastifyRequest): RefusalForm | undefined {
  const path = pathOf(request)
  const decoded = decodedPart(path) ?? path
  return request.server.refusalForms?.find(({ paths }) => paths.test(decoded))
}

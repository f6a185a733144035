import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../refusal.ts'

/** The id in a path such as `/log/5`, `/log/5.json` or `/log/5.xml`. */
export function recordIdIn(request: FastifyRequest): number {
  // Every route that asks this has an `:id`.
  const { id } = request.params as { readonly id: string }
  const digits = /^(0|[1-9]\d{0,14})(\.json|\.xml)?$/.exec(id)?.[1]
  if (digits === undefined) throw new Refusal('not-found', `${JSON.stringify(id)} is not the id of a record.`)
  return Number(digits)
}

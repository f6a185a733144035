import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Records } from '../../records/records.ts'

/** What an address of records takes in place of a record, told by its Content-Type: a sheet, a map. */
export interface BodyImport {
  isSentBy(request: FastifyRequest, type: RecordTypeName): boolean
  take(
    target: { readonly installation: Records; readonly type: RecordTypeName },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

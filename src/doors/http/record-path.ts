import type { FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../farm/farm.ts'
import { uuidIn } from '../../fields/scalars.ts'
import { recordIdUnder } from '../../records/record-id-under.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'

/** The id in a path such as `/log/5`, `/log/5.json` or `/log/5.xml`. */
export function recordIdIn(request: FastifyRequest): number {
  const named = idOrUuid(request)
  if (typeof named === 'number') return named
  throw new Refusal('not-found', `${JSON.stringify(named)} is not the id of a record.`)
}

/** The id of the record that a path names by its id or its UUID, on this snapshot. */
export async function recordIdAt(request: FastifyRequest, type: RecordTypeName, snapshot: Snapshot): Promise<number> {
  const named = idOrUuid(request)
  return typeof named === 'number' ? named : recordIdUnder(snapshot, type, named)
}

/** Refuses at once what is neither an id nor a UUID. */
export const requireRecordId = (request: FastifyRequest): void => void idOrUuid(request)

function idOrUuid(request: FastifyRequest): number | string {
  // Every route that asks this has an `:id`.
  const { id } = request.params as { readonly id: string }
  const plain = id.replace(/\.(json|xml)$/, '')
  if (/^(0|[1-9]\d{0,14})$/.test(plain)) return Number(plain)
  const uuid = uuidIn(plain)
  if (uuid === undefined) throw new Refusal('not-found', `${JSON.stringify(id)} is not the id of a record.`)
  return uuid
}

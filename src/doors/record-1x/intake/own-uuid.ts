import { isBlank, isTree, type Tree } from '../../../fields/place.ts'
import { faultOfNewUuid, uuidIn } from '../../../fields/uuid.ts'
import type { Fault } from '../../../refusal.ts'

/** The UUID that the sender of a body has chosen for what is to be made; one that is none is a fault of the body. */
export const ownUuidIn = (body: unknown): string | undefined =>
  isTree(body) && faultsOfUuid(body).length === 0 ? uuidIn(body.uuid) : undefined

export function faultsOfUuid({ uuid }: Tree): readonly Fault[] {
  const message = isBlank(uuid) ? undefined : faultOfNewUuid(uuid)
  return message === undefined ? [] : [{ field: 'uuid', message }]
}

import { deleteAccessToken, endFamily, findAccessToken, findRefreshToken } from '../../storage/access/token-rows.ts'
import { note } from '../events.ts'
import type { Ground } from '../ground.ts'
import { hashOf } from '../secrets.ts'
import { authenticateClientIfNamed, type ClientRequest } from './client-authentication.ts'
import { findClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { refuseRepeated, requiredParameter } from './parameters.ts'

/** RFC 7009. Who holds a token of a client without a secret may revoke it without naming the client. */
export async function answerRevocation(ground: Ground, request: ClientRequest): Promise<void> {
  refuseRepeated(request.parameters)
  const client = await authenticateClientIfNamed(ground, request)
  const hash = hashOf(requiredParameter(request.parameters, 'token'))
  const token = await ground.database.read(
    async (rows) => (await findAccessToken(rows, hash)) ?? (await findRefreshToken(rows, hash)),
  )
  if (!token || (client && client.id !== token.client)) return
  if (!client) await requirePublic(ground, token.client)
  await ground.database.write(async (rows) => {
    if ('rotated' in token) await endFamily(rows, token.family)
    else await deleteAccessToken(rows, hash)
    await note(rows, 'tokens-revoked', { at: ground.clock(), uid: token.uid, client: token.client })
  })
}

async function requirePublic(ground: Ground, id: string): Promise<void> {
  const owner = await ground.database.read((rows) => findClient(ground, rows, id))
  if (owner?.secretHash)
    throw new OAuthRefusal('invalid_client', 'This token belongs to a client that has to authenticate')
}

import { personalTokenClient } from '../../farm/people/clients.ts'
import { deleteAccessToken, endFamily, findAccessToken, findRefreshToken } from '../../storage/access/token-rows.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { hashOf } from '../secrets.ts'
import { authenticateClientIfNamed, type ClientRequest } from './client-authentication.ts'
import { findClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { refuseRepeated, requiredParameter } from './parameters.ts'

/** RFC 7009. A token of a public client can be revoked without naming the client. */
export async function answerRevocation(installation: Installation, request: ClientRequest): Promise<void> {
  refuseRepeated(request.parameters)
  const client = await authenticateClientIfNamed(installation, request)
  const hash = hashOf(requiredParameter(request.parameters, 'token'))
  const token = await installation.database.read(
    async (snapshot) => (await findAccessToken(snapshot, hash)) ?? (await findRefreshToken(snapshot, hash)),
  )
  if (!token || (client && client.id !== token.client)) return
  if (!client) await requirePublic(installation, token.client)
  await installation.database.write(async (tx) => {
    if ('rotated' in token || token.client === personalTokenClient.id) await endFamily(tx, token.family)
    else await deleteAccessToken(tx, hash)
    await note(tx, 'tokens-revoked', { at: installation.clock(), uid: token.uid, client: token.client })
  })
}

async function requirePublic(installation: Installation, id: string): Promise<void> {
  const owner = await installation.database.read((snapshot) => findClient(installation, snapshot, id))
  if (owner?.secretHash)
    throw new OAuthRefusal('invalid_client', 'This token belongs to a client that has to authenticate')
}

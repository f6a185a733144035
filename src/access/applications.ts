import { personalTokenClient } from '../farm/people/clients.ts'
import { findAccount } from '../storage/access/account-rows.ts'
import { endGrants, familiesOf } from '../storage/access/token-rows.ts'
import { principalOf } from './caller.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { allClients, effectiveScope } from './oauth/clients.ts'

/** A client that can currently act for the user. */
export interface GrantedApplication {
  readonly client: string
  readonly label: string
  /** The granted scopes that the user's role still covers. */
  readonly scopes: readonly string[]
  readonly since: number
}

export async function listApplications(installation: Installation, uid: number): Promise<GrantedApplication[]> {
  return installation.database.read(async (snapshot) => {
    const labels = new Map((await allClients(installation, snapshot)).map(({ id, label }) => [id, label]))
    const user = await findAccount(snapshot, uid)
    const covered = (scope: string) => (user ? effectiveScope(installation.farm, principalOf(user), scope) : '')
    const given = await familiesOf(snapshot, { uid })
    const alive = given.filter(({ ends, client }) => ends > installation.clock() && client !== personalTokenClient.id)
    return [...new Set(alive.map(({ client }) => client))].map((client) => {
      const own = alive.filter((family) => family.client === client)
      return {
        client,
        label: labels.get(client) ?? client,
        scopes: [...new Set(own.flatMap(({ scope }) => covered(scope).split(' ').filter(Boolean)))],
        since: Math.min(...own.map(({ created }) => created)),
      }
    })
  })
}

/** Revokes every token of the client for this user. */
export async function revokeApplication({ database, clock }: Installation, uid: number, client: string): Promise<void> {
  await database.write(async (tx) => {
    await endGrants(tx, { uid, client })
    await note(tx, 'tokens-revoked', { at: clock(), uid, client })
  })
}

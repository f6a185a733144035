import { findAccount } from '../storage/access/account-rows.ts'
import { endGrants, familiesOf } from '../storage/access/token-rows.ts'
import { principalOf } from './caller.ts'
import { note } from './events.ts'
import type { Ground } from './ground.ts'
import { allClients } from './oauth/clients.ts'
import { scopeWithin } from './oauth/scopes.ts'

/** A client that can act for the user at present. */
export interface Application {
  readonly client: string
  readonly label: string
  /** What the user's role still covers of what was granted. */
  readonly scopes: readonly string[]
  readonly since: number
}

export async function listApplications(ground: Ground, uid: number): Promise<Application[]> {
  return ground.database.read(async (rows) => {
    const labels = new Map((await allClients(ground, rows)).map(({ id, label }) => [id, label]))
    const user = await findAccount(rows, uid)
    const covered = (scope: string) => (user ? scopeWithin(ground.farm, principalOf(user), scope) : '')
    const alive = (await familiesOf(rows, { uid })).filter(({ ends }) => ends > ground.clock())
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

/** Every token of the client for this user is dead afterwards. */
export async function revokeApplication({ database, clock }: Ground, uid: number, client: string): Promise<void> {
  await database.write(async (rows) => {
    await endGrants(rows, { uid, client })
    await note(rows, 'tokens-revoked', { at: clock(), uid, client })
  })
}

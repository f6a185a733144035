import { randomUUID } from 'node:crypto'
import type { Farm } from '../../farm/farm.ts'
import { type Role, type RoleName, roles } from '../../farm/people/roles.ts'
import { Refusal } from '../../refusal.ts'
import { findAccountByName, insertAccount, updateAccount } from '../../storage/access/account-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { removeOrBlock } from '../accounts.ts'
import { nameKey } from '../names.ts'
import type { Client } from './clients.ts'
import { scopesNamed } from './scopes.ts'

interface FarmNow {
  readonly farm: Farm
  readonly now: number
}

/** Gives a client with the client credentials grant an account to act as, and one without it none. */
export async function keepServiceAccount(
  tx: Transaction,
  client: Client,
  { farm, now }: FarmNow,
): Promise<number | null> {
  if (!client.grants.includes('client_credentials')) {
    if (client.serviceUid !== null) await removeOrBlock(tx, client.serviceUid)
    return null
  }
  const role = roleCovering(farm, client.scopes)
  if (client.serviceUid !== null) {
    await updateAccount(tx, client.serviceUid, { role, blocked: 0 })
    return client.serviceUid
  }
  return (await revived(tx, client, role)) ?? (await created(tx, client, { role, now }))
}

/** A client that was removed after it had recorded something left its account behind: who comes under its name has it again. */
async function revived(tx: Transaction, { id }: Client, role: RoleName | null): Promise<number | null> {
  const account = await findAccountByName(tx, nameKey(id))
  if (!account) return null
  if (account.password_hash !== null || account.name !== id) {
    throw new Refusal('invalid-content', `There is a user named "${account.name}": choose another client id.`)
  }
  await updateAccount(tx, account.uid, { role, blocked: 0 })
  return account.uid
}

async function created(
  tx: Transaction,
  { id }: Client,
  given: { role: RoleName | null; now: number },
): Promise<number> {
  const account = await insertAccount(tx, {
    uuid: randomUUID(),
    name: id,
    name_key: nameKey(id),
    mail: '',
    mail_key: '',
    language: 'en',
    role: given.role,
    password_hash: null,
    blocked: 0,
    created: given.now,
  })
  return account.uid
}

/** The least of the roles that covers all the scopes. */
function roleCovering(farm: Farm, names: readonly string[]): RoleName | null {
  const needed = scopesNamed(farm, names.join(' ')).flatMap(({ rights }) => (rights === 'own' ? [] : rights))
  if (needed.length === 0) return null
  const fromLeast: readonly Role[] = [roles.viewer, roles.worker, roles.manager]
  return fromLeast.find(({ rights }) => needed.every((right) => rights.includes(right)))?.name ?? 'manager'
}

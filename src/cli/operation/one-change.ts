import { listAccounts } from '../../access/accounts.ts'
import { type Caller, callerWith } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { nameKey } from '../../access/names.ts'
import { openRecords } from '../../records/records.ts'
import { newUuid } from '../../records/writing/new-uuid.ts'
import type { Work } from '../../records/writing/work.ts'
import { Refusal } from '../../refusal.ts'
import { inChangeSet } from '../../storage/change-set.ts'
import { beginChange } from '../../storage/changes.ts'
import { requireEdition } from '../../storage/edition.ts'

/** Changes records in one transaction and as one set, in the name of an account or, where none is named, of the farm itself. */
export async function inOneChange<T>(
  installation: Installation,
  author: string | undefined,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const records = await openRecords(installation)
  const caller = await callerCalled(installation, author)
  return records.database.write(async (tx) => {
    requireEdition(records, await beginChange(tx, 'others'))
    const now = records.clock()
    const given = { id: newUuid(now), at: now, uid: caller.uid, client: null, request: null }
    return inChangeSet(tx, given, (set) => work({ installation: records, tx, caller, set }))
  })
}

/** Whoever may run commands here may do everything. */
export async function callerCalled(installation: Installation, name: string | undefined): Promise<Caller> {
  if (name === undefined) return callerWith({ uid: 0, name: '', role: 'manager' }, 'cookie')
  const account = (await listAccounts(installation)).find((one) => nameKey(one.name) === nameKey(name))
  if (account === undefined)
    throw new Refusal('not-found', `There is no account named "${name}": \`furrow user list\` lists them.`)
  return callerWith({ ...account, role: 'manager' }, 'cookie')
}

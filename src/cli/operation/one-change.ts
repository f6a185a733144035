import { listAccounts } from '../../access/accounts.ts'
import { type Caller, callerWith } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { nameKey } from '../../access/names.ts'
import { openRecords } from '../../records/records.ts'
import { newUuid } from '../../records/writing/uuids.ts'
import type { Work } from '../../records/writing/work.ts'
import { Refusal } from '../../refusal.ts'
import { inChangeSet } from '../../storage/change-set.ts'
import { type ChangeEnding, inChange } from '../../storage/changes.ts'
import { requireEdition } from '../../storage/edition.ts'

interface Manner {
  /** The account that the changes are noted as those of; the farm itself where none is named. */
  readonly author?: string | undefined
  /** In a dry run all of it is undone again. */
  readonly ending?: ChangeEnding
}

/** Changes records in one transaction and as one set. */
export async function inOneChange<T>(
  installation: Installation,
  { author, ending = 'kept' }: Manner,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const records = await openRecords(installation)
  const caller = await callerCalled(installation, author)
  return inChange(records.database, { beside: 'others', ending }, async (tx, { edition }) => {
    requireEdition(records, edition)
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

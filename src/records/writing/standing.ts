import { recordTypeNames } from '../../farm/fields-of.ts'
import { lockAccountsToName } from '../../storage/access/account-rows.ts'
import type { Identity } from '../../storage/identity.ts'
import { bundlesOfLocked } from '../../storage/records/record-rows.ts'
import { lockIdentity } from '../../storage/trash-rows.ts'
import { takeFilesBack } from '../../storage/unused-files.ts'
import type { NamedReference } from './named-records.ts'
import type { WriteContext } from './write-context.ts'

/** The fate of referenced records: those neither present nor in the trash are deleted for good. */
interface NamedFate {
  readonly inTrash: readonly (NamedReference & { readonly identity: Identity })[]
  readonly gone: readonly NamedReference[]
}

/**
 * Looks for everything that a record of an earlier day names. What is there stays until the transaction ends, and files that no record
 * names any more are in use again. A blocked user is still one.
 */
export async function standingOf(work: WriteContext, named: readonly NamedReference[]): Promise<NamedFate> {
  const there = await thereOf(work, named)
  const missing = named.filter(({ to, id }) => !there.has(`${to} ${id}`))
  const inTrash: (NamedReference & { readonly identity: Identity })[] = []
  const gone: NamedReference[] = []
  for (const one of missing) {
    const identity = await trashedIdentity(work, one)
    if (identity === undefined) gone.push(one)
    else inTrash.push({ ...one, identity })
  }
  return { inTrash, gone }
}

async function thereOf(work: WriteContext, named: readonly NamedReference[]): Promise<ReadonlySet<string>> {
  const { tx, installation } = work
  const idsOf = (wanted: NamedReference['to']) => [
    ...new Set(named.filter(({ to }) => to === wanted).map(({ id }) => id)),
  ]
  const there = new Set([...installation.vocabularies.values()].map((vid) => `vocabulary ${vid}`))
  for (const type of recordTypeNames) {
    const ids = idsOf(type)
    if (ids.length === 0) continue
    for (const id of (await bundlesOfLocked(tx, type, ids)).keys()) there.add(`${type} ${id}`)
  }
  const users = idsOf('user')
  if (users.length > 0) for (const { uid } of await lockAccountsToName(tx, users)) there.add(`user ${uid}`)
  for (const id of await takeFilesBack(tx, idsOf('file'))) there.add(`file ${id}`)
  return there
}

async function trashedIdentity({ tx }: WriteContext, { to, id }: NamedReference): Promise<Identity | undefined> {
  if (to !== 'log' && to !== 'asset' && to !== 'term') return undefined
  const identity = await lockIdentity(tx, { type: to, id })
  return identity?.removed === null || identity?.ended !== null ? undefined : identity
}

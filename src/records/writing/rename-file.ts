import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import { lockFiles, renameFile } from '../../storage/file-rows.ts'
import { lockToUpdate } from '../../storage/records/record-rows.ts'
import { firstReferrers } from '../../storage/records/referrers.ts'
import { storeChange } from './storing.ts'
import type { Work } from './work.ts'

export interface FileRenaming {
  readonly id: number
  readonly name: string
}

const mostRecords = 1_000

/** Calls a file something else, as a part of a transaction. The records that name it show its name, and have changed with it. */
export async function renameFileIn({ installation, tx, caller, set }: Work, { id, name }: FileRenaming): Promise<void> {
  requireRight(caller, 'write-records')
  const file = (await lockFiles(tx, [id], caller.uid)).get(id)
  if (file === undefined) throw new Refusal('not-found', `There is no file ${id}.`)
  if (file.uid !== caller.uid) throw new Refusal('forbidden', 'A file is given another name by whoever has sent it.')
  if (file.name === name) return
  const changed = installation.clock()
  const referrers = await firstReferrers(tx, { type: 'file', id, most: mostRecords + 1 })
  if (referrers.length > mostRecords)
    throw new Refusal('conflict', `More than ${mostRecords} records name this file: its name stays as it is.`)
  await renameFile(tx, { id, name, changed })
  for (const { type, id: record } of referrers) {
    const before = await lockToUpdate(tx, type as RecordTypeName, record)
    if (before === undefined) continue
    const after = { ...before, changed, revision: before.revision + 1 }
    await storeChange(tx, installation.farm, { before, after, set })
  }
}

import { randomUUID } from 'node:crypto'
import { requireRight } from '../../access/caller.ts'
import { inMebibytes } from '../../fields/byte-size.ts'
import type { AttachmentField } from '../../fields/field.ts'
import { admit } from '../../fields/gate.ts'
import { valueLimits } from '../../fields/limits.ts'
import { placeAt } from '../../fields/place.ts'
import type { NewFile } from '../../fields/value.ts'
import { type Fault, Refusal } from '../../refusal.ts'
import { fingerprint, insertFile } from '../../storage/file-rows.ts'
import { lockWaiting } from '../../storage/unused-files.ts'
import { refuseFaults } from './draft.ts'
import type { Work } from './work.ts'

export interface FileToCome {
  /** The field of the record that is to name it, and what its sender calls that. */
  readonly field: AttachmentField
  readonly called: string
  readonly file: NewFile & Required<Pick<NewFile, 'name'>>
}

/** Keeps a file for a record that is to come, as a part of a transaction. Answers its number. */
export async function keepFileToCome({ installation, tx, caller }: Work, sent: FileToCome): Promise<number> {
  requireRight(caller, 'write-records')
  const { field, called, file } = sent
  const faults: Fault[] = []
  admit(field, file, placeAt(called, { faults, words: () => [] }))
  refuseFaults(faults)
  const { files, bytes } = await lockWaiting(tx, caller.uid)
  if (files >= valueLimits.filesToCome || bytes + file.bytes.length > valueLimits.fileBytesToCome) throw tooMany()
  return insertFile(tx, {
    name: file.name,
    uuid: randomUUID(),
    mime: file.mime,
    bytes: file.bytes,
    sha256: fingerprint(file.bytes),
    uid: caller.uid,
    created: installation.clock(),
    for: 'a record to come',
  })
}

const tooMany = () =>
  new Refusal(
    'too-large',
    `An account may have ${valueLimits.filesToCome} files, and ${inMebibytes(valueLimits.fileBytesToCome)} of them, that no record names yet. ` +
      'Name those in their records first, or wait: they go after a day.',
  )

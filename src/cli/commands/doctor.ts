import { examine } from '../../records/doctor/examination.ts'
import { Refusal } from '../../refusal.ts'
import { checkDataDirectory, freeBytes, isDamage, leastFreeBytes } from '../../storage/doctor/engine-soundness.ts'

import { type Diagnosis, type Finding, restoreBackup } from '../../storage/doctor/finding.ts'
import { type Holdings, trashHoldings } from '../../storage/trash-rows.ts'
import { command } from '../command.ts'
import { existingFarmOptions, type FarmValues } from '../farm-options.ts'
import { Diagnoses } from '../operation/diagnosis.ts'
import { inFarmEvenIfIncomplete, requireFarm } from '../operation/existing-farm.ts'
import { withProgress } from '../operation/progress.ts'
import { heldInTrash } from '../operation/trash-holdings.ts'
import { say } from '../terminal.ts'

export const doctor = command({
  words: 'doctor',
  summary: 'Look for damage: the database, references, orphans, index, histories, journal, files, rights, room',
  takes: {},
  options: existingFarmOptions,
  async run({ options }) {
    const { findings, trash } = await lookAt(options)
    const held = trash === null || trash.records + trash.files === 0 ? [] : [`${heldInTrash(trash)}.`]
    if (findings.count === 0) return say('Everything is as it should be.', ...held)
    say(...findings.lines(), ...held)
    const count = findings.count === 1 ? '1 thing is not as it' : `${findings.count} things are not as they`
    throw new Refusal('conflict', `${count} should be.`)
  },
})

/** SQLite needs a little room even to read: on a full disk a farm that is whole cannot be opened. */
const leastBytesToOpen = 1024 * 1024

async function mendOf({ data, database }: FarmValues): Promise<string> {
  const isFull = database === undefined && (await freeBytes(data)) < leastBytesToOpen
  return isFull ? 'make room on that disk, and ask the doctor again' : restoreBackup
}

interface Look {
  readonly findings: Diagnoses
  /** Null where that cannot be told. */
  readonly trash: Holdings | null
}

async function lookAt(options: FarmValues): Promise<Look> {
  requireFarm(options)
  const findings = new Diagnoses()
  const found = (diagnosis: Diagnosis) => findings.add(diagnosis)
  const inDirectory = (finding: Finding) => found({ kind: 'directory', ...finding })
  if (options.database === undefined) await checkDataDirectory(options.data, leastFreeBytes, inDirectory)
  let trash: Holdings | null = null
  try {
    await inFarmEvenIfIncomplete(options, async (installation) => {
      await withProgress((report) => examine({ ...installation, found, report }))
      // What a damaged farm cannot tell has been named already.
      trash = await installation.database.read(trashHoldings).catch(() => null)
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    const mend = await mendOf(options)
    found({ kind: 'engine', what: (error as Error).message, mend })
  }
  return { findings, trash }
}

import { examine } from '../records/doctor/examination.ts'
import { Refusal } from '../refusal.ts'
import { checkDataDirectory, leastFreeBytes } from '../storage/doctor/data-directory.ts'
import { isDamage } from '../storage/doctor/engine-soundness.ts'
import { type Finding, restoreBackup } from '../storage/doctor/finding.ts'
import { command } from './command.ts'
import { type FarmValues, farmOptions } from './farm-options.ts'
import { inExistingFarm } from './operation/existing-farm.ts'
import { withProgress } from './operation/progress.ts'
import { say } from './terminal.ts'

export const doctor = command({
  words: 'doctor',
  summary: 'Look for damage: the database, references, orphans, index, histories, journal, files, rights, room',
  takes: {},
  options: farmOptions,
  async run({ options }) {
    const findings = await findingsOf(options)
    if (findings.length === 0) return say('Everything is as it should be.')
    say(...findings.map(({ what, mend }) => `${what}. To mend: ${mend}.`))
    const count = findings.length === 1 ? '1 thing is not as it' : `${findings.length} things are not as they`
    throw new Refusal('conflict', `${count} should be.`)
  },
})

async function findingsOf(options: FarmValues): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const found = (finding: Finding) => void findings.push(finding)
  if (options.database === undefined) await checkDataDirectory(options.data, leastFreeBytes, found)
  try {
    await withProgress((report) => inExistingFarm(options, (house) => examine({ ...house, found, report })))
  } catch (error) {
    if (!isDamage(error)) throw error
    found({ what: (error as Error).message, mend: restoreBackup })
  }
  return findings
}

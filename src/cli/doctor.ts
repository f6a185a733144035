import { examine } from '../records/doctor/examination.ts'
import { Refusal } from '../refusal.ts'
import { checkDataDirectory, freeBytes, isDamage, leastFreeBytes } from '../storage/doctor/engine-soundness.ts'
import {
  type Diagnosis,
  type DoctorFinding,
  type FindingKind,
  kinds,
  restoreBackup,
} from '../storage/doctor/finding.ts'
import { type Holdings, trashHoldings } from '../storage/trash-rows.ts'
import { command, existingFarmOptions, type FarmValues } from './command.ts'
import { inFarmEvenIfIncomplete, requireFarm } from './existing-farm.ts'
import { withProgress } from './progress.ts'
import { say } from './terminal.ts'
import { heldInTrash } from './trash.ts'

/** All findings. Of many findings of the same kind it keeps the first few and counts the others. */
export class Diagnoses {
  readonly #groups = new Map<string, Group>()
  count = 0

  add({ kind, mend, alike, what }: Diagnosis): void {
    const name = JSON.stringify([kind, mend, alike])
    const group = this.#groups.get(name) ?? { kind, mend, alike, examples: [], count: 0 }
    if (alike === undefined || group.examples.length < fewExamples) group.examples.push(what)
    group.count += 1
    this.#groups.set(name, group)
    this.count += 1
  }

  /** Findings by kind, then each repair with the findings it mends. */
  lines(): readonly string[] {
    const order = Object.keys(kinds)
    const groups = [...this.#groups.values()].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
    const mends = [...new Set(groups.map(({ mend }) => mend))]
    const advices = mends.map((mend) => adviceOn(groups.filter((group) => group.mend === mend)))
    return advices.flatMap(({ headings, lines }, place) => {
      const before = advices[place - 1]?.headings
      const goesOn = headings.length === 1 && before?.length === 1 && before[0] === headings[0]
      if (goesOn) return lines.slice(1)
      return place === 0 ? lines : ['', ...lines]
    })
  }
}

const fewExamples = 5

/** SQLite needs some free space even to read: on a full disk an intact farm cannot be opened. */
const leastBytesToOpen = 1024 * 1024

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

async function mendOf({ data, database }: FarmValues): Promise<string> {
  const isFull = database === undefined && (await freeBytes(data)) < leastBytesToOpen
  return isFull ? 'make room on that disk, and ask the doctor again' : restoreBackup
}

interface Look {
  readonly findings: Diagnoses
  /** Null if it could not be read. */
  readonly trash: Holdings | null
}

async function lookAt(options: FarmValues): Promise<Look> {
  requireFarm(options)
  const findings = new Diagnoses()
  const found = (diagnosis: Diagnosis) => findings.add(diagnosis)
  const inDirectory = (finding: DoctorFinding) => found({ kind: 'directory', ...finding })
  if (options.database === undefined) await checkDataDirectory(options.data, leastFreeBytes, inDirectory)
  let trash: Holdings | null = null
  try {
    await inFarmEvenIfIncomplete(options, async (installation) => {
      await withProgress((report) => examine({ ...installation, found, report }))
      // A damaged farm has already produced a finding.
      trash = await installation.database.read(trashHoldings).catch(() => null)
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    const mend = await mendOf(options)
    found({ kind: 'engine', what: (error as Error).message, mend })
  }
  return { findings, trash }
}

/** Findings of one kind with the same repair and the same name. */
interface Group {
  readonly kind: FindingKind
  readonly mend: string
  readonly alike: string | undefined
  readonly examples: string[]
  count: number
}

interface Advice {
  readonly headings: readonly FindingKind[]
  readonly lines: readonly string[]
}

function adviceOn(groups: readonly Group[]): Advice {
  const headings = [...new Set(groups.map(({ kind }) => kind))]
  const mend = groups[0]?.mend
  const found = headings.flatMap((kind) => [
    `${kinds[kind]}:`,
    ...groups.filter((group) => group.kind === kind).flatMap(linesOf),
  ])
  return {
    headings,
    lines: [...found, headings.length === 1 ? `    To mend: ${mend}.` : `To mend all of these: ${mend}.`],
  }
}

function linesOf({ examples, count, alike }: Group): readonly string[] {
  const more = count - examples.length
  const lines = examples.map((what) => `  ${what}.`)
  return more === 0 ? lines : [...lines, `  And ${more.toLocaleString('en')} more ${alike}.`]
}

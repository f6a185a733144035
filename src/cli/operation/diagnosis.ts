import { type Diagnosis, type FindingKind, kinds } from '../../storage/doctor/finding.ts'

const fewExamples = 5

/** Findings that are of one kind, mended in one way and called the same. */
interface Group {
  readonly kind: FindingKind
  readonly mend: string
  readonly alike: string | undefined
  readonly examples: string[]
  count: number
}

/** Everything that was found. Of many that are alike it keeps the first few and counts the others. */
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

  /** Under the headings of their kinds, and for each way to mend something once what is mended in that way. */
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

interface Advice {
  readonly headings: readonly FindingKind[]
  readonly lines: readonly string[]
}

/** Groups that are mended in the same way. */
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

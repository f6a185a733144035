import { type Diagnosis, type FindingKind, kinds } from '../../storage/doctor/finding.ts'

/** Findings under the headings of their kinds; what is mended in the same way is told together. */
export function diagnosisLines(diagnoses: readonly Diagnosis[]): readonly string[] {
  const sections = (Object.keys(kinds) as FindingKind[]).map((kind) => sectionOf(kind, diagnoses))
  return sections.filter((lines) => lines.length > 0).flatMap((lines, place) => (place === 0 ? lines : ['', ...lines]))
}

function sectionOf(kind: FindingKind, diagnoses: readonly Diagnosis[]): readonly string[] {
  const own = diagnoses.filter((diagnosis) => diagnosis.kind === kind)
  if (own.length === 0) return []
  const mends = [...new Set(own.map(({ mend }) => mend))]
  return [
    `${kinds[kind]}:`,
    ...mends.flatMap((mend) => [
      ...own.filter((diagnosis) => diagnosis.mend === mend).map(({ what }) => `  ${what}.`),
      `    To mend: ${mend}.`,
    ]),
  ]
}

/** A finding and its repair. */
export interface DoctorFinding {
  readonly what: string
  readonly mend: string
  /** The plural for counting: the doctor lists the first few and counts the others. Without it each is listed. */
  readonly alike?: string
}

export type ReportFinding = (finding: DoctorFinding) => void

/** The subjects of findings, by which they are grouped. */
export const kinds = {
  directory: 'The data directory',
  engine: 'The database itself',
  orphans: 'References, and rows that belong to nothing',
  derived: 'What follows from the records',
  journal: 'The journal',
  counts: 'Counts and numbers',
  files: 'Photos and files',
} as const

export type FindingKind = keyof typeof kinds

export interface Diagnosis extends DoctorFinding {
  readonly kind: FindingKind
}

/** A restore rebuilds all derived rows. */
export const rebuild = 'it is rebuilt by `furrow backup FILE` and then `furrow restore FILE --replace`'

export const restoreBackup = 'restore the last backup from before the damage'

/** A damaged page may be one of an index, or of what follows from the records. */
export const saveWhatCanBeRead =
  'try `furrow backup FILE` first: if it succeeds, `furrow restore FILE --replace` brings back all that is in it, and ' +
  `\`furrow doctor\` then tells whether that is everything; else ${restoreBackup}`

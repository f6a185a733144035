import type { RecordType } from '../store/types.ts'

const known = 'uuid,version'

/** What is asked for beside what lists show: areas say only on request whether they are archived. */
export const shownWith: Readonly<Record<RecordType, string>> = { log: known, asset: known, term: `${known},archived` }

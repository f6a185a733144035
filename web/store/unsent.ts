import { memory } from './memory.ts'
import type { Row } from './row.ts'

/** Logs with unsent changes, as they are shown. */
export function unsentRows(): Row[] {
  return [...memory.unsentLogs.values()].filter((row) => row !== null)
}

/** Whether what the database has of a log is not what is shown. */
export const isUnsent = ({ uuid }: { readonly uuid: string }): boolean => memory.unsentLogs.has(uuid)

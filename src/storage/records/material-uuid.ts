import { createHash } from 'node:crypto'

/** A term among the materials of a log. */
export interface MaterialOfLog {
  /** The UUID of the log. */
  readonly log: string
  readonly term: number
  /** Counted up where the one before is taken. */
  readonly nth: number
}

/** The UUID (version 8, RFC 9562) of a material of which its log says nothing more: nothing but the log is needed to know it again. */
export function materialUuid({ log, term, nth }: MaterialOfLog): string {
  const hash = createHash('sha256').update(`${log} material ${term} ${nth}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

import { createHash } from 'node:crypto'

/** A term among the materials of a log. */
export interface MaterialOfLog {
  /** The UUID of the log. */
  readonly log: string
  readonly term: number
  /** Counted up where the one before is taken. */
  readonly nth: number
}

/** The UUID of a material of which its log says nothing more: nothing but the log is needed to know it again. */
export const materialUuid = (material: MaterialOfLog): string => hashed(material, 4)

/** The UUID that farms gave to the same material at first, with the version digit 8. A quantity that has it keeps it. */
export const earlierMaterialUuid = (material: MaterialOfLog): string => hashed(material, 8)

function hashed({ log, term, nth }: MaterialOfLog, version: 4 | 8): string {
  const hash = createHash('sha256').update(`${log} material ${term} ${nth}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${version}${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

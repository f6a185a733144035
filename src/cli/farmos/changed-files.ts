import type { Change } from './changes.ts'
import { numberIn } from './kinds.ts'
import type { ReadFiles } from './read-files.ts'

/** What this farm has of a file may be more or less than what the other server says it has. */
export const changesOfFiles = (described: ReadFiles['described'], bytes: ReadFiles['bytes']): readonly Change[] =>
  [...described.all()].flatMap(([id, { size }]) => {
    const kept = numberIn(bytes.get(id)?.size)
    if (kept === undefined || kept === numberIn(size)) return []
    return [{ about: `file ${id}`, at: '', case: 'other-size' as const, was: `${String(size)} → ${kept}` }]
  })

import type { Snapshot } from '../database.ts'
import { notedPaths, pathNumber, spelled } from '../records/path.ts'
import { type Found, rebuild } from './finding.ts'

/** Every number stands for the words that it was worked out of. */
export async function checkPaths(snapshot: Snapshot, found: Found): Promise<void> {
  for (const path of await notedPaths(snapshot)) {
    if (pathNumber(path) === path.id) continue
    found({
      what: `${path.id} is noted as ${spelled(path)}, which has another number`,
      mend: rebuild,
      alike: 'paths with another number',
    })
  }
}

import type { Clock } from '../clock.ts'
import type { Farm } from '../farm/farm.ts'
import type { Database, Writing } from '../storage/database.ts'
import { notePaths } from '../storage/records/path.ts'
import { numberVocabularies } from '../storage/records/term-rows.ts'
import { newTerm } from './new-term.ts'
import { pathsOf } from './record-index.ts'
import { storeNew } from './storing.ts'

/** What the verbs work with: the catalogue, the rows, the time, and the numbers of this installation's vocabularies. */
export interface Keeping {
  readonly farm: Farm
  readonly database: Database
  readonly clock: Clock
  /** By machine name. */
  readonly vocabularies: ReadonlyMap<string, number>
}

/** The author of what the farm itself brings along. */
const theFarmItself = 0

/** Notes the paths of the catalogue, numbers the vocabularies, and plants the first terms of those that are new here. */
export async function openKeeping(ground: Omit<Keeping, 'vocabularies'>): Promise<Keeping> {
  const vocabularies = await ground.database.write(async (rows) => {
    await notePaths(rows, pathsOf(ground.farm))
    const { fresh, numbered } = await numberVocabularies(rows, Object.keys(ground.farm.records.taxonomy_term.bundles))
    for (const vocabulary of fresh) await plantFirstTerms(rows, ground, vocabulary)
    return numbered
  })
  return { ...ground, vocabularies }
}

async function plantFirstTerms(rows: Writing, ground: Omit<Keeping, 'vocabularies'>, bundle: string): Promise<void> {
  const now = ground.clock()
  const names = ground.farm.records.taxonomy_term.bundles[bundle]?.firstTerms ?? []
  const records = names.map((name) => newTerm({ bundle, name, uid: theFarmItself, now }))
  await storeNew(rows, ground.farm, { type: 'taxonomy_term', records, uid: theFarmItself })
}

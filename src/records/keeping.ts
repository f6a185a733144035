import type { Clock } from '../clock.ts'
import type { Farm } from '../farm/farm.ts'
import type { Database, Writing } from '../storage/database.ts'
import { ensureEdition } from '../storage/edition.ts'
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
  /** Which farm this is (storage/edition.ts): what is known here is known of this one. */
  readonly edition: string
  /** By machine name. */
  readonly vocabularies: ReadonlyMap<string, number>
}

/** What has to be there before anything can be known of the farm. */
export type Installed = Omit<Keeping, 'edition' | 'vocabularies'>

/** The author of what the farm itself brings along. */
const theFarmItself = 0

/** Notes the paths of the catalogue, numbers the vocabularies, and plants the first terms of those that are new here. */
export async function openKeeping(ground: Installed): Promise<Keeping> {
  const known = await ground.database.write(async (rows) => {
    const edition = await ensureEdition(rows)
    await notePaths(rows, pathsOf(ground.farm))
    const { fresh, numbered } = await numberVocabularies(rows, Object.keys(ground.farm.records.term.bundles))
    for (const vocabulary of fresh) await plantFirstTerms(rows, ground, vocabulary)
    return { edition, vocabularies: numbered }
  })
  return { ...ground, ...known }
}

async function plantFirstTerms(rows: Writing, ground: Installed, bundle: string): Promise<void> {
  const now = ground.clock()
  const names = ground.farm.records.term.bundles[bundle]?.firstTerms ?? []
  const records = names.map((name) => newTerm({ bundle, name, uid: theFarmItself, now }))
  await storeNew(rows, ground.farm, { type: 'term', records, uid: theFarmItself })
}

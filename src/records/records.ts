import { createHash } from 'node:crypto'
import type { Installation } from '../access/installation.ts'
import type { Farm } from '../farm/farm.ts'
import { isOnlyNewer } from '../farm/older-fields.ts'
import { inChangeSet } from '../storage/change-set.ts'
import type { Transaction } from '../storage/database.ts'
import { ensureEdition } from '../storage/edition.ts'
import { keepToCluster } from '../storage/feed/cluster.ts'
import { notePaths } from '../storage/records/path.ts'
import { numberVocabularies } from '../storage/records/term-rows.ts'
import { ensureFarmUuid } from '../storage/settings.ts'
import { pathsOf } from './record-index.ts'
import { newTerm } from './writing/new-term.ts'
import { newUuid } from './writing/new-uuid.ts'
import { storeNew } from './writing/storing.ts'

/** The records of an installation: what the verbs work with. */
export interface Records extends Installation {
  /** Which farm this is (storage/edition.ts): what is known here is known of this one. */
  readonly edition: string
  /** By machine name. */
  readonly vocabularies: ReadonlyMap<string, number>
  /** A word for what can be recorded here, for the tags of answers. */
  readonly catalogue: string
}

/** The author of what the farm itself brings along. */
const theFarmItself = 0

/** Notes the paths of the catalogue, numbers the vocabularies, and plants the first terms of those that are new here. */
export async function openRecords(installation: Installation): Promise<Records> {
  const known = await installation.database.write(async (tx) => {
    const edition = await ensureEdition(tx)
    await keepToCluster(tx)
    await ensureFarmUuid(tx)
    await notePaths(tx, pathsOf(installation.farm))
    const { fresh, numbered } = await numberVocabularies(tx, inOrderOfNumbers(installation.farm))
    for (const vocabulary of fresh) await plantFirstTerms(tx, installation, vocabulary)
    return { edition, vocabularies: numbered }
  })
  return { ...installation, ...known, catalogue: wordFor(installation.farm) }
}

/** What the record interface does not have comes last, so that it changes no number there. */
function inOrderOfNumbers({ records }: Farm): readonly string[] {
  const names = Object.keys(records.term.bundles)
  const isLast = (name: string) => isOnlyNewer(records.term.bundles[name] ?? {})
  return [...names.filter((name) => !isLast(name)), ...names.filter(isLast)]
}

const wordFor = ({ records }: Farm): string =>
  createHash('sha256').update(JSON.stringify(records)).digest('base64url').slice(0, 8)

async function plantFirstTerms(tx: Transaction, installation: Installation, bundle: string): Promise<void> {
  const now = installation.clock()
  const names = installation.farm.records.term.bundles[bundle]?.firstTerms ?? []
  const records = names.map((name) => newTerm({ bundle, name, uid: theFarmItself, now }))
  const given = { id: newUuid(now), at: now, uid: theFarmItself, client: null, request: null }
  await inChangeSet(tx, given, (set) => storeNew(tx, installation.farm, { type: 'term', records, set }))
}

import { createHash } from 'node:crypto'
import type { Installation } from '../access/installation.ts'
import type { Farm } from '../farm/farm.ts'
import { isOnlyNewer } from '../farm/fields-of.ts'
import { inChangeSet } from '../storage/change-set.ts'
import type { Transaction } from '../storage/database.ts'
import { AnotherEdition, ensureEdition } from '../storage/farm-state.ts'
import { keepToCluster } from '../storage/feed/cluster.ts'
import { notePaths } from '../storage/records/path.ts'
import { numberVocabularies } from '../storage/records/term-rows.ts'
import { ensureFarmUuid } from '../storage/settings.ts'
import type { MoveTrial } from './moving/move-job.ts'
import { pathsOf } from './record-index.ts'
import { newUuid } from './writing/draft.ts'
import { newTerm } from './writing/new-term.ts'
import { storeNew } from './writing/storing.ts'

/** The records of an installation: what the verbs work with. */
export interface Records extends Installation {
  /** Which farm this is (storage/farm-state.ts): what is known here is known of this one. */
  readonly edition: string
  /** By machine name. */
  readonly vocabularies: ReadonlyMap<string, number>
  /** A word for what can be recorded here, for the tags of answers. */
  readonly catalogue: string
  /** Null if this farm is no trial beside another one; absent outside of a server. */
  readonly trial?: () => MoveTrial | null
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

/** Vocabularies of /api come last, so that 1.x numbers stay. */
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

/**
 * The records of whichever farm is there: what is known of one edition is known anew when work finds another, and the work is
 * done again. So it may be kept for as long as a server runs, beside which a farm can be restored on PostgreSQL.
 */
export async function openLastingRecords(
  installation: Installation,
  moves: { trial(): MoveTrial | null },
): Promise<Records> {
  let known = await openRecords(installation)
  let renewal: Promise<void> | undefined
  const renew = async () => {
    try {
      known = await openRecords(installation)
    } finally {
      renewal = undefined
    }
  }
  const inThisEdition = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AnotherEdition)) throw error
      renewal ??= renew()
      await renewal
      return work()
    }
  }
  const { database } = installation
  return {
    ...known,
    trial: () => moves.trial(),
    database: {
      ...database,
      read: (work, budget) => inThisEdition(() => database.read(work, budget)),
      ask: (question) => inThisEdition(() => database.ask(question)),
      write: (work) => inThisEdition(() => database.write(work)),
      dryRun: (work) => inThisEdition(() => database.dryRun(work)),
    },
    get edition() {
      return known.edition
    },
    get vocabularies() {
      return known.vocabularies
    },
  }
}

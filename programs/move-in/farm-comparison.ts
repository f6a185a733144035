import type { Installation } from '../../src/access/installation.ts'
import type { RecordType } from '../../src/farm/farm.ts'
import { fieldsOfBundle, olderFields } from '../../src/farm/fields-of.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { printable } from '../../src/fields/text.ts'
import { openRecords, type Records } from '../../src/records/records.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { atPresent } from '../../src/storage/farm-state.ts'
import { filesByIds, type StoredFile } from '../../src/storage/file-rows.ts'
import { recordPages } from '../../src/storage/records/record-lookup.ts'
import type { Report } from '../../src/storage/report.ts'
import { documentsOf } from '../../src/wire-1x/record-documents.ts'
import { Templates } from '../../src/wire-1x/record-template.ts'
import { findingOf, isComparable, isKeptAsText, type MoveChange, type MoveFinding, sentenceOf } from './findings.ts'
import { unhurried } from './json-lines-store.ts'
import { type ChangedNumbers, type NumberedKind, ReferenceIndex } from './references.ts'
import { sourceChanges } from './source-changes.ts'
import { namedFiles, type SourceFiles } from './source-files.ts'
import { bundleOf, idIn, numberIn, recordLists, type SourceType, sourceTypes, vocabularyNames } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import { canonical, type NoteFormat, toInput } from './source-values.ts'
import { Translation, unknownName } from './translation.ts'

interface ComparisonInput {
  readonly installation: Installation
  /** Read after the farm was filled. */
  readonly reading: SourceFarm
  readonly files: Pick<SourceFiles, 'described'>
  readonly texts: NoteFormat
  readonly report: Report
  readonly unservedFiles: FileCheck
  /** Numbers that differ here. */
  readonly numbers: ChangedNumbers
}

/** Finds stored files that this farm does not serve to clients. */
export type FileCheck = (
  records: Records,
  files: readonly StoredFile[],
  report: Report,
) => Promise<readonly MoveFinding[]>

const together = 100

/** Compares every record of the source with what this farm shows. */
export async function compareFarms(compared: ComparisonInput): Promise<readonly MoveFinding[]> {
  const records = await openRecords(compared.installation)
  const { reading } = compared
  const { numbers } = compared
  const here = (id: number) => numbers.get(`file ${id}`) ?? id
  const kept = await records.database.read((snapshot) => filesByIds(snapshot, namedFiles(reading).map(here)))
  const bytes = bytesIn(kept, here)
  const known = new ReferenceIndex(records.farm, reading, {
    files: { described: compared.files.described, bytes },
    numbers,
  })
  const changes = [
    ...(await changesIn({ ...compared, known, now: records.clock() })),
    ...sourceChanges(reading, { described: compared.files.described, bytes }),
  ]
  const comparison = new Comparison(records, compared, changes)
  for (const type of sourceTypes) await comparison.compare(type)
  await comparison.compareAccounts()
  const unserved = await compared.unservedFiles(records, [...kept.values()], compared.report)
  return [...changes.filter((change) => !isAboutAccount(change)).map(findingOf), ...unserved, ...comparison.findings]
}

const isAboutAccount = ({ about }: MoveChange): boolean => about.startsWith('account')

const bytesIn = (files: ReadonlyMap<number, StoredFile>, here: (id: number) => number): SourceFiles['bytes'] => ({
  has: (id) => files.has(here(id)),
  get: (id) => {
    const file = files.get(here(id))
    return file && { id, sha256: file.sha256, size: file.size }
  },
})

/** Changes made on import: recomputed, because the values are stored as changed and show no difference. */
async function changesIn({
  reading,
  known,
  texts,
  now,
}: ComparisonInput & { readonly known: ReferenceIndex; readonly now: number }): Promise<readonly MoveChange[]> {
  const changes: MoveChange[] = []
  const translation = new Translation({ known, texts, now, note: (change) => changes.push(change) })
  for (const type of sourceTypes)
    for await (const [id, tree] of unhurried(reading.records[type].all()))
      if (isKnown(known, type, tree)) translation.record(type, id, tree)
  return changes
}

const isKnown = ({ farm, vocabularies }: ReferenceIndex, type: SourceType, tree: Tree): boolean =>
  Object.hasOwn(farm.records[type].bundles, bundleOf(type, tree, vocabularies) ?? '')

class Comparison {
  readonly findings: MoveFinding[] = []
  readonly #records: Records
  readonly #compared: ComparisonInput
  /** Fields already reported as changed, by record. */
  readonly #told = new Map<string, readonly string[]>()
  /** Vocabularies of the source by number. */
  readonly #names: ReadonlyMap<number, string>
  /** Records whose data got additional text. */
  readonly #annotated = new Set<string>()

  constructor(records: Records, compared: ComparisonInput, changes: readonly MoveChange[]) {
    this.#records = records
    this.#compared = compared
    this.#names = vocabularyNames(compared.reading)
    for (const { about, at, case: name } of changes) {
      if (isComparable(name)) continue
      this.#told.set(about, [...(this.#told.get(about) ?? []), at === '' ? 'name' : at.replace(/[.[].*$/, '')])
      if (isKeptAsText(name)) this.#annotated.add(about)
    }
  }

  async compare(type: SourceType): Promise<void> {
    const { reading, report } = this.#compared
    const theirs = reading.records[type]
    const { ids } = theirs
    for (let start = 0; start < ids.length; start += together) {
      const some = ids.slice(start, start + together)
      const ours = await this.#documents(
        type,
        some.map((id) => this.#here(type, id)),
      )
      for (const id of some) {
        const tree = this.#renumbered(theirs.get(id) ?? {}) as Tree
        this.#compareOne(type, id, { theirs: tree, ours: ours.get(this.#here(type, id)) })
      }
      report(`${recordLists[type].label} compared`, start + some.length, ids.length)
    }
    const known = new Set(ids.map((id) => this.#here(type, id)))
    for await (const page of recordPages(this.#records.database.read, type)) {
      for (const { id, values } of page)
        if (!known.has(id) && values.name !== unknownName)
          this.#find('changed', 'only here', `${type} ${id} is only here`)
    }
  }

  #here(type: NumberedKind, id: number): number {
    return this.#compared.numbers.get(`${type} ${id}`) ?? id
  }

  /** References with the numbers of this farm. */
  #renumbered(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#renumbered(one))
    if (!isTree(value)) return value
    const type = typeof value.resource === 'string' ? kindsByResource[value.resource] : undefined
    const id = numberIn(value.id)
    if (value.resource === 'taxonomy_vocabulary' && id !== undefined) return { ...value, id: this.#vocabularyHere(id) }
    if (type !== undefined && id !== undefined) return { ...value, id: String(this.#here(type, id)) }
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, this.#renumbered(inside)]))
  }

  async #documents(type: SourceType, ids: readonly number[]): Promise<ReadonlyMap<number, Tree>> {
    const installation = this.#records
    const documents = await installation.database.read((snapshot) =>
      documentsOf(snapshot, ids, {
        installation,
        templates: new Templates(installation),
        viewing: { type, base: '', extras: { with: [], files: 'link' } },
        time: atPresent(installation.clock()),
      }),
    )
    return new Map([...documents].map(([id, json]) => [id, JSON.parse(json.toString('utf8'))]))
  }

  #compareOne(
    type: SourceType,
    id: number,
    { theirs, ours }: { readonly theirs: Tree; readonly ours: Tree | undefined },
  ): void {
    const about = `${type} ${id}`
    if (ours === undefined) {
      this.#find('lost', 'not here', `${about} is not here`)
      return
    }
    if (theirs.created !== undefined && numberIn(theirs.created) !== numberIn(ours.created)) {
      this.#find('lost', 'not here', `${about} is not here: another record has its number`)
      return
    }
    const { farm } = this.#records
    const bundle = type === 'term' ? this.#vocabularyOf(ours) : String(ours.type)
    const reported = this.#told.get(about) ?? []
    const since = sinceOf(theirs, ours)
    for (const difference of differencesOf(farm.records[type], { theirs, ours, bundle, texts: this.#compared.texts })) {
      const { field } = difference
      const isAnnotation = this.#annotated.has(about) && (field === 'data' || field === 'description')
      if (reported.includes(field) || isAnnotation) continue
      const { kind, why } = since ?? reasonOf(difference)
      this.#find(
        kind,
        why,
        `${about}, ${field} ${why}: ${shortened(difference.theirs)} there, ${shortened(difference.ours)} here`,
      )
    }
  }

  /** The number here of a vocabulary of the source. */
  #vocabularyHere(vid: number): string {
    return String(this.#records.vocabularies.get(this.#names.get(vid) ?? '') ?? vid)
  }

  #vocabularyOf(ours: Tree): string {
    const vid = numberIn((ours.vocabulary as Tree | undefined)?.id)
    return [...this.#records.vocabularies].find(([, number]) => number === vid)?.[0] ?? ''
  }

  async compareAccounts(): Promise<void> {
    const accounts = await this.#records.database.read((snapshot) => rowsOf(snapshot, 'account'))
    const names = new Map(accounts.map(({ uid, name }) => [Number(uid), String(name)]))
    for (const [uid, { name }] of this.#compared.reading.users.all()) {
      const ours = names.get(this.#here('user', uid))
      if (ours === undefined) this.#find('lost', 'not here', `account ${uid} (${String(name)}) is not here`)
      else if (ours !== String(name).trim().normalize('NFC'))
        this.#find('changed', 'account-renamed', `account ${uid} (${String(name)}) is called ${ours} here`)
    }
    for (const [uid, name] of names)
      if (name === `${unknownName} ${uid}`)
        this.#find(
          'changed',
          'unknown-account',
          sentenceOf({ about: `account ${uid}`, at: '', case: 'unknown-account' }),
        )
  }

  #find(kind: MoveFinding['kind'], why: string, sentence: string): void {
    this.findings.push({ kind, why, sentence: printable(sentence) })
  }
}

const kindsByResource: Readonly<Record<string, NumberedKind>> = {
  log: 'log',
  farm_asset: 'asset',
  taxonomy_term: 'term',
  user: 'user',
  file: 'file',
}

type Reason = Pick<MoveFinding, 'kind' | 'why'>

/** The side that changed after the record was read, if any. */
function sinceOf(theirs: Tree, ours: Tree): Reason | undefined {
  const [there, here] = [numberIn(theirs.changed), numberIn(ours.changed)]
  if (there === undefined || here === undefined || there === here) return undefined
  return { kind: 'changed', why: there > here ? 'was changed there since' : 'was changed here since' }
}

function reasonOf({ isComputed, isMissing }: Difference): Reason {
  if (isComputed) return { kind: 'changed', why: 'is worked out by another rule here' }
  return isMissing ? { kind: 'lost', why: 'is not here' } : { kind: 'changed', why: 'says something else' }
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text)

/** A field that differs between both sides. */
interface Difference {
  readonly field: string
  readonly theirs: string
  readonly ours: string
  readonly isComputed: boolean
  /** True if the value is missing here. */
  readonly isMissing: boolean
}

interface Sides {
  readonly theirs: Tree
  readonly ours: Tree
  readonly bundle: string
  readonly texts: NoteFormat
}

/** Compares one record of both servers, field by field. */
function differencesOf(type: RecordType, { theirs, ours, bundle, texts }: Sides): readonly Difference[] {
  const found: Difference[] = []
  const compare = (field: string, pair: readonly [unknown, unknown], isComputed: boolean) => {
    const [there, here] = pair.map((value) => JSON.stringify(value ?? null)) as [string, string]
    if (there !== here) found.push({ field, theirs: there, ours: here, isComputed, isMissing: here === 'null' })
  }
  for (const name of ['uid', type.bundleName, 'created', 'changed']) {
    if (theirs[name] === undefined) continue
    compare(name, [asId(theirs[name]), asId(ours[name])], false)
  }
  for (const [name, { field }] of olderFields(fieldsOfBundle(type, bundle))) {
    if (theirs[name] === undefined || noted.has(name)) continue
    const there = canonical(field, toInput(field, theirs[name], texts))
    const here = canonical(field, toInput(field, ours[name], 'html'))
    const isSet = field.computed === 'contents'
    compare(name, isSet ? [sorted(there), sorted(here)] : [there, here], field.computed !== undefined)
  }
  return found
}

const noted = new Set(['id', 'tid', 'uid', 'type', 'vocabulary', 'created', 'changed'])

const asId = (value: unknown): string => String(idIn(value) ?? (isTree(value) ? value.id : value))

const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value)

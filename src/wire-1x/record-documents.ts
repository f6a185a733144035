import type { RecordType, RecordTypeName } from '../farm/farm.ts'
import { allFieldsOf, entriesOf, fieldsOfBundle, once } from '../farm/fields-of.ts'
import { identityWords } from '../farm/query-words.ts'
import { inMebibytes, mebibyte } from '../fields/byte-size.ts'
import type { Field } from '../fields/field.ts'
import { nameInAddress } from '../fields/file-name.ts'
import type { Value, Values } from '../fields/value.ts'
import { ancestorsOf, lineageOf } from '../records/ancestry.ts'
import { computedOf } from '../records/record-index.ts'
import type { Records } from '../records/records.ts'
import { versionOf } from '../records/writing/draft.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { bytesOf, filesByIds, type StoredFile } from '../storage/file-rows.ts'
import { recordsByIds, termNames } from '../storage/records/record-rows.ts'
import type { Extras } from './list-query.ts'
import { finished, inString, type RecordTemplate, type TemplateSource } from './record-template.ts'
import { budgetOfPage, referenceTo, spellField } from './spelling.ts'

/** The display options of records. */
export interface RecordView {
  readonly type: RecordTypeName
  readonly base: string
  readonly extras: Extras
  /** Left out where only changes of records are reported. */
  readonly computed?: 'shown' | 'left out'
}

interface DocumentSource {
  readonly installation: Records
  readonly templates: TemplateSource
  readonly viewing: RecordView
  readonly time: PointInTime
  /** Revisions of the records, if the snapshot was already asked for them. */
  readonly revisions?: ReadonlyMap<number, number> | undefined
}

const noFiles: ReadonlyMap<number, StoredFile> = new Map()

/** These records as JSON, all looked up together; those that do not exist are missing. */
export async function documentsOf(
  snapshot: Snapshot,
  ids: readonly number[],
  { installation, templates, viewing, time, revisions }: DocumentSource,
): Promise<ReadonlyMap<number, Buffer>> {
  const { type, base, extras } = viewing
  const shown = await templates.of(snapshot, type, { ids, revisions })
  const asked = computedAsked(installation, viewing)
  const records = [...shown].map(([id, { bundle }]) => ({ type, id, bundle }))
  const computed = await computedOf(snapshot, records, { farm: installation.farm, time, asked })
  const lineages = viewing.computed === 'left out' ? new Map() : await lineagesOf(snapshot, type, shown)
  const fileIds = new Set([...shown.values()].flatMap((template) => template.files))
  const files = fileIds.size === 0 ? noFiles : await filesByIds(snapshot, [...fileIds])
  const names = await namesOf(snapshot, shown, {
    computed,
    lineages,
    named: asked.filter((name) => isTermField(installation, type, name)),
  })
  const texts = await textsOfFiles(snapshot, files, { base, form: extras.files })
  const isAsked = isAskedIn(viewing)
  const filling = { base: inString(base), names, files: texts, isAsked }
  const behind = writerOfComputed({
    base,
    names,
    computed,
    lineages,
    computedIn: computedPerBundle(installation, type, asked),
  })
  const requestedIn = writerOfRequested(isAsked)
  const identityOf = writerOfIdentity(extras, installation.edition)
  const documents = new Map<number, Buffer>()
  const budget = budgetOfPage(shown.size)
  for (const [id, template] of shown) {
    const json = finished(template, filling, behind(id, template.bundle) + requestedIn(template) + identityOf(template))
    budget?.take(json.length)
    documents.set(id, json)
  }
  return documents
}

const isAskedIn =
  ({ extras, computed }: RecordView) =>
  (name: string): boolean =>
    computed === 'left out' || extras.with.includes(name)

/** Writes what a record says, and shows only to who has asked for it, or follows its changes. */
const writerOfRequested =
  (isAsked: (name: string) => boolean) =>
  ({ requested }: RecordTemplate): string =>
    Object.entries(requested)
      .filter(([name]) => isAsked(name))
      .map(([name, value]) => `,"${name}":${value}`)
      .join('')

/** Writes what a record is known by elsewhere, to who has asked for it. */
function writerOfIdentity({ with: asked }: Extras, edition: string): (template: RecordTemplate) => string {
  const words = identityWords.filter((word) => asked.includes(word))
  if (words.length === 0) return () => ''
  return ({ uuid, revision }) => {
    const shown = { uuid, version: versionOf(revision, edition) }
    return words.map((word) => `,"${word}":${JSON.stringify(shown[word])}`).join('')
  }
}

interface ComputedPart {
  readonly base: string
  /** As the insides of JSON strings. */
  readonly names: ReadonlyMap<number, string>
  readonly computed: ReadonlyMap<number, Values>
  readonly lineages: Lineages
  readonly computedIn: (bundle: string) => readonly (readonly [string, Field])[]
}

/** Writes what stands behind the template of a record: its computed fields and, of a term, those above it. */
function writerOfComputed({
  base,
  names,
  computed,
  lineages,
  computedIn,
}: ComputedPart): (id: number, bundle: string) => string {
  const speller = {
    base,
    nameOf: (term: number): string => JSON.parse(`"${names.get(term) ?? ''}"`),
    textOfFile: () => '',
  }
  return (id, bundle) => {
    let behind = ''
    for (const [name, field] of computedIn(bundle)) {
      behind += `,"${name}":${JSON.stringify(spellField(field, computed.get(id)?.[name], speller))}`
    }
    const lineage = lineages.get(id)?.map((term) => referenceTo(speller, 'term', term))
    return lineage === undefined ? behind : `${behind},"parents_all":${JSON.stringify(lineage)}`
  }
}

function computedAsked({ farm }: Records, { type, extras, computed }: RecordView): readonly string[] {
  if (computed === 'left out') return []
  return computedFields(farm.records[type]).flatMap(({ name, onRequest }) =>
    !onRequest || extras.with.includes(name) ? [name] : [],
  )
}

const computedFields = once((type: RecordType) =>
  [...allFieldsOf(type)].flatMap(([name, { field }]) =>
    field.computed ? [{ name, onRequest: field.onRequest === true }] : [],
  ),
)

/** The computed fields that a record of each bundle shows, found once for all records of the page. */
function computedPerBundle({ farm }: Records, type: RecordTypeName, asked: readonly string[]) {
  if (asked.length === 0) return () => []
  const known = new Map<string, readonly (readonly [string, Field])[]>()
  return (bundle: string) => {
    const fields =
      known.get(bundle) ??
      entriesOf(fieldsOfBundle(farm.records[type], bundle)).filter(
        ([name, field]) => field.computed && asked.includes(name),
      )
    known.set(bundle, fields)
    return fields
  }
}

type Lineages = ReadonlyMap<number, readonly number[]>

/** For terms: each with its ancestors, nearest first. */
async function lineagesOf(
  snapshot: Snapshot,
  type: RecordTypeName,
  shown: ReadonlyMap<number, RecordTemplate>,
): Promise<Lineages> {
  if (type !== 'term') return new Map()
  const below = [...shown].filter(([, { parents }]) => parents.length > 0).map(([id]) => id)
  const terms = await recordsByIds(snapshot, type, below)
  const known = await ancestorsOf(snapshot, [...terms.values()])
  return new Map(
    [...shown.keys()].map((id) => {
      const term = terms.get(id)
      return [id, term === undefined ? [id] : lineageOf(term, known)]
    }),
  )
}

interface NamedFields {
  readonly computed: ReadonlyMap<number, Values>
  readonly lineages: Lineages
  /** The computed fields that are lists of terms. */
  readonly named: readonly string[]
}

/** The names of all terms that will be shown, as the insides of JSON strings. */
async function namesOf(
  snapshot: Snapshot,
  shown: ReadonlyMap<number, RecordTemplate>,
  { computed, lineages, named }: NamedFields,
) {
  const terms = new Set<number>()
  for (const template of shown.values()) for (const term of template.terms) terms.add(term)
  for (const lineage of lineages.values()) for (const term of lineage) terms.add(term)
  for (const values of computed.values())
    for (const name of named) for (const term of idsIn(values[name])) terms.add(term)
  const names = await termNames(snapshot, [...terms])
  return new Map([...names].map(([id, name]) => [id, inString(name)]))
}

function isTermField({ farm }: Records, type: RecordTypeName, name: string): boolean {
  const field = allFieldsOf(farm.records[type]).get(name)?.field
  return field?.kind === 'reference' && field.to === 'term'
}

const idsIn = (value: Value | undefined): readonly number[] => (value as readonly number[] | undefined) ?? []

const mostInlineBytes = 32 * mebibyte

interface FileForm {
  readonly base: string
  readonly form: 'inline' | 'link'
}

export const addressOfFile = (base: string, { id, name }: Pick<StoredFile, 'id' | 'name'>): string =>
  `${base}/file/${id}/${nameInAddress(name)}`

/** Files in an answer, as the inside of a JSON string: content or address. */
async function textsOfFiles(
  snapshot: Snapshot,
  files: ReadonlyMap<number, StoredFile>,
  { base, form }: FileForm,
): Promise<ReadonlyMap<number, string>> {
  if (form === 'link') return new Map([...files].map(([id, file]) => [id, inString(addressOfFile(base, file))]))
  const together = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  if (together > mostInlineBytes) {
    throw new Refusal(
      'bad-query',
      `These records have more than ${inMebibytes(mostInlineBytes)} of files: narrow the list, or ask for files=link.`,
    )
  }
  const texts = new Map<number, string>()
  for (const file of files.values()) {
    const content = (await bytesOf(snapshot, file.sha256)).toString('base64')
    // The parameters of a media type may hold quotes.
    texts.set(file.id, inString(`data:${file.mime};base64,`) + content)
  }
  return texts
}

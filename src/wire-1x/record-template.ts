import type { Farm, RecordTypeName } from '../farm/farm.ts'
import { fieldsOfBundle, olderFields } from '../farm/fields-of.ts'
import { mebibyte } from '../fields/byte-size.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordsInTurn, revisionsByIds } from '../storage/records/record-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { addressOf, budgetOfPage, referenceTo, spellOlder, type WireSpeller } from './spelling.ts'

export type WireDocument = Record<string, unknown>

/** The catalogue, and the ids of the vocabularies. */
interface WireCatalogue {
  readonly farm: Farm
  readonly vocabularies: ReadonlyMap<string, number>
}

/** A record as the interface shows it, without what is computed. */
export function documentOf(record: StoredRecord, catalogue: WireCatalogue, speller: WireSpeller): WireDocument {
  const noted = notedOf(record, catalogue, speller)
  const document: WireDocument = record.type === 'term' ? { id: noted.id } : {}
  for (const [name, older] of olderFields(fieldsOfBundle(catalogue.farm.records[record.type], record.bundle))) {
    if (older.field.computed || older.field.onRequest) continue
    const spelled = noted[name] ?? spellOlder(older, record.values[older.own], speller)
    if (spelled !== undefined) document[name] = spelled
  }
  document.url = addressOf(speller.base, record.type, record.id)
  return document
}

/** Fields shown only on request (`?with=`), without computed ones. */
function requestedOf(record: StoredRecord, { farm }: WireCatalogue, speller: WireSpeller): WireDocument {
  const fields = olderFields(fieldsOfBundle(farm.records[record.type], record.bundle))
  const onRequest = [...fields].filter(([, { field }]) => field.onRequest && !field.computed)
  return Object.fromEntries(
    onRequest.map(([name, older]) => [name, spellOlder(older, record.values[older.own], speller)]),
  )
}

/** Metadata of a record. */
function notedOf(
  { id, type, bundle, uid, created, changed }: StoredRecord,
  { vocabularies }: WireCatalogue,
  speller: WireSpeller,
) {
  const noted: WireDocument = Object.create(null)
  noted.id = String(id)
  noted.type = bundle
  noted.uid = referenceTo(speller, 'user', uid)
  noted.created = String(created)
  noted.changed = String(changed)
  if (type !== 'term') return noted
  noted.tid = noted.id
  noted.vocabulary = referenceTo(speller, 'vocabulary', vocabularies.get(bundle) ?? 0)
  return noted
}

/**
 * A record's JSON with holes for what can change without the record: the base address, the names of terms, the text of
 * files. What is computed is not in it at all; it is put in behind (see record-documents.ts). The closing brace is left off.
 */
export interface RecordTemplate {
  readonly uuid: string
  readonly revision: number
  readonly bundle: string
  /** The terms and files it names, and the terms directly above it. */
  readonly terms: readonly number[]
  readonly files: readonly number[]
  readonly parents: readonly number[]
  /** Fields shown only on request, as JSON by name. */
  readonly requested: Readonly<Record<string, string>>
  readonly pieces: readonly Piece[]
  readonly length: number
}

type Piece =
  | string
  | { readonly hole: 'base' }
  | { readonly hole: 'name' | 'file'; readonly id: number }
  | { readonly hole: 'requested'; readonly name: string; readonly json: string }

/** The text as the inside of a JSON string. */
export function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Characters that no text of a farm can have (they are refused at the gate) enclose a hole. JSON spells them in ASCII, so that
 * most templates take one byte for a character. A text that has this spelling itself, letter by letter, has each of its
 * backslashes doubled there: behind a figure there is never a single one but here.
 */
const [open, close] = ['\u0001\u0002', '\u0003']
const [opening, closing] = [inString(open), inString(close)]

function recordTemplate(record: StoredRecord, catalogue: WireCatalogue): RecordTemplate {
  const terms = new Set<number>()
  const files = new Set<number>()
  const speller: WireSpeller = {
    base: `${open}${close}`,
    nameOf(term) {
      terms.add(term)
      return `${open}n${term}${close}`
    },
    textOfFile(file) {
      files.add(file)
      return `${open}f${file}${close}`
    },
    requested: (name, spelled) => `${open}r${name} ${JSON.stringify(spelled)}${close}`,
  }
  const document = documentOf(record, catalogue, speller)
  const requested = Object.entries(requestedOf(record, catalogue, speller))
  const text = JSON.stringify(document).slice(0, -1)
  return {
    uuid: record.uuid,
    revision: record.revision,
    bundle: record.bundle,
    terms: [...terms],
    files: [...files],
    // The catalogue makes a term's parents a list of ids; other records have none that anything here asks for.
    parents: record.type === 'term' ? ((record.values.parent ?? []) as readonly number[]) : [],
    requested: Object.fromEntries(requested.map(([name, value]) => [name, JSON.stringify(value)])),
    pieces: piecesOf(text),
    length: text.length,
  }
}

function piecesOf(text: string): readonly Piece[] {
  const [first = '', ...others] = text.split(opening)
  const pieces: Piece[] = [first]
  for (const other of others) {
    const end = other.indexOf(closing)
    const [inside, after] = [other.slice(0, end), other.slice(end + closing.length)]
    if (inside.startsWith('r')) addRequested(pieces, inside.slice(1), after)
    else pieces.push(end === 0 ? base : holeIn(inside), after)
  }
  return pieces
}

const base: Piece = { hole: 'base' }

const holeIn = (text: string): Piece => ({ hole: text.startsWith('n') ? 'name' : 'file', id: Number(text.slice(1)) })

/** The hole takes the member with its comma and its name; a part always shows another member before it. */
function addRequested(pieces: Piece[], inside: string, after: string): void {
  const name = inside.slice(0, inside.indexOf(' '))
  const before = String(pieces.pop()).slice(0, -`,"${name}":"`.length)
  const json = `,"${name}":${JSON.parse(`"${inside.slice(name.length + 1)}"`)}`
  pieces.push(before, { hole: 'requested', name, json }, after.slice(1))
}

/** The values for the holes, as insides of JSON strings. */
interface TemplateValues {
  readonly base: string
  readonly names: ReadonlyMap<number, string>
  readonly files: ReadonlyMap<number, string>
  /** Whether a field that is shown on request is asked for. */
  readonly isAsked: (name: string) => boolean
}

/** The whole document: the template with its holes filled, and behind it what is computed. */
export function finished({ pieces }: RecordTemplate, values: TemplateValues, behind: string): Buffer {
  const { base, names, files, isAsked } = values
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else if (piece.hole === 'base') text += base
    else if (piece.hole === 'requested') text += isAsked(piece.name) ? piece.json : ''
    else text += (piece.hole === 'name' ? names : files).get(piece.id) ?? ''
  }
  return Buffer.from(`${text}${behind}}`)
}

/** The source of the templates of records. */
export interface TemplateSource {
  of(snapshot: Snapshot, type: RecordTypeName, wanted: WantedTemplates): Promise<ReadonlyMap<number, RecordTemplate>>
}

interface WantedTemplates {
  readonly ids: readonly number[]
  /** Their revisions, if the snapshot was already asked for them. */
  readonly revisions?: ReadonlyMap<number, number> | undefined
}

/** The template of a record in a transaction that may still be undone: it is made for the moment and not remembered. */
export const freshTemplates = (catalogue: WireCatalogue, record: StoredRecord): TemplateSource => ({
  of: async () => new Map([[record.id, recordTemplate(record, catalogue)]]),
})

/** About how many characters of templates one half of the memory holds. */
const mostCharacters = 2 * mebibyte

/**
 * Templates of records of one edition of the farm that were shown before. One is used only for the very revision it was made of, which is asked of
 * the database each time, and ids are never given twice: so it can neither be stale nor somebody else's.
 */
export class Templates implements TemplateSource {
  readonly #catalogue: WireCatalogue
  #recent = new Map<string, RecordTemplate>()
  #older = new Map<string, RecordTemplate>()
  #characters = 0

  constructor(catalogue: WireCatalogue) {
    this.#catalogue = catalogue
  }

  /** The templates of these records in that order; those that do not exist are left out. */
  async of(
    snapshot: Snapshot,
    type: RecordTypeName,
    { ids, revisions: known }: WantedTemplates,
  ): Promise<ReadonlyMap<number, RecordTemplate>> {
    const revisions = known ?? (await revisionsByIds(snapshot, type, ids))
    const found = new Map<number, RecordTemplate>()
    const missing: number[] = []
    for (const id of ids) {
      const revision = revisions.get(id)
      if (revision === undefined) continue
      const remembered = this.#remembered(`${type} ${id}`)
      if (remembered?.revision === revision) found.set(id, remembered)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    const budget = budgetOfPage(missing.length)
    for await (const record of recordsInTurn(snapshot, type, missing)) {
      const template = this.#remember(record)
      budget?.take(template.length)
      found.set(record.id, template)
    }
    return new Map(ids.flatMap((id) => pairedIn(found, id)))
  }

  #remember(record: StoredRecord): RecordTemplate {
    const template = recordTemplate(record, this.#catalogue)
    this.#keep(`${record.type} ${record.id}`, template)
    return template
  }

  #remembered(key: string): RecordTemplate | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.#keep(key, older)
    return older
  }

  /** When the newer half is full it becomes the older one, and the previous older half is dropped. */
  #keep(key: string, template: RecordTemplate): void {
    this.#recent.set(key, template)
    this.#characters += template.length
    if (this.#characters < mostCharacters) return
    this.#older = this.#recent
    this.#recent = new Map()
    this.#characters = 0
  }
}

function pairedIn(found: ReadonlyMap<number, RecordTemplate>, id: number): [number, RecordTemplate][] {
  const template = found.get(id)
  return template === undefined ? [] : [[id, template]]
}

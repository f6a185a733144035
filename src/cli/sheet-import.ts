import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Caller } from '../access/caller.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import { fileFormatNames, formatOfFile, isSheetFormat } from '../formats/file-formats.ts'
import { limits } from '../limits.ts'
import type { Records } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import type { SheetOptions } from '../sheets/import/import-options.ts'
import {
  addedCounts,
  animalsNotIn,
  countsOf,
  type ImportCounts,
  type MissingAnimals,
  noRows,
} from '../sheets/import/import-outcome.ts'
import { type CheckedImport, checkSheet, importRows, refuseFaulty } from '../sheets/import/import-sheet.ts'
import { groupsIn, inSlicesOf } from '../sheets/import/match-rows.ts'
import { type OpenedSheet, openSheet, rememberSheet } from '../sheets/import/open-sheet.ts'
import type { RowFault } from '../sheets/import/read-cell.ts'
import { wordsIn } from '../sheets/import/row-lookup.ts'
import { type SheetSource, sheetReaders } from '../sheets/import/sheet-source.ts'
import type { RowsToWrite } from '../sheets/import/write-rows.ts'
import {
  type ChangeBeginning,
  type ChangeEnding,
  ChangeSet,
  changeSetWith,
  inChange,
  type KeptSet,
  type NewChangeSet,
  noteResults,
} from '../storage/change-set.ts'
import type { Snapshot, Transaction } from '../storage/database.ts'
import { requireEdition } from '../storage/farm-state.ts'
import type { Report } from '../storage/report.ts'
import { unreadableFile } from './terminal.ts'

interface SheetImport {
  readonly type: RecordTypeName
  readonly options: SheetOptions
  readonly file: SheetFile
  readonly caller: Caller
  readonly ending: ChangeEnding
  /** Behaviour if an import of the same file was interrupted before. */
  readonly before: 'go on' | 'refuse'
  readonly report: Report
}

export interface SheetImportResult {
  readonly opened: OpenedSheet
  readonly counts: ImportCounts
  readonly faults: readonly RowFault[]
  /** Animals that a register does not name. */
  readonly missing: MissingAnimals | undefined
  /** The change set; null in a dry run. */
  readonly set: string | null
  /** Progress of an earlier import of the same file. */
  readonly resumed: InterruptedImport | undefined
}

/** Records per transaction, for a sheet too large for one. */
const recordsAtOnce = 1_000

/** Imports a sheet from a file: checks all of it, then writes it in one or several transactions, as one change set. */
export async function importSheet(records: Records, given: SheetImport): Promise<SheetImportResult> {
  const { type, options, file, caller, ending } = given
  const opened = await openSheet(records, { type, options, source: file })
  const word = createHash('sha256')
    .update(JSON.stringify([file.fingerprint, type, [...options.map], options]))
    .digest('hex')
  const { set, earlier } = await records.database.read((snapshot) => beginning(snapshot, word, given.before))
  const from = earlier?.row ?? 0
  const checked = await checkSheet({ installation: records, caller, opened }, from)
  refuseFaulty(checked)
  const importing = new RunningImport(records, given, { checked, set, earlier })
  for await (const rows of slicesOf(given, checked, from)) {
    await importing.take(rows)
    await records.database.letOthersWrite?.()
  }
  await importing.end()
  const { counts, faults, missing } = importing
  return { opened: checked.opened, counts, faults, missing, set: ending === 'kept' ? set : null, resumed: earlier }
}

type RowSlice = Pick<RowsToWrite, 'groups' | 'words'>

/** All at once where that keeps nobody waiting for long, and in a dry run, of which nothing is kept. */
async function* slicesOf(
  { file, ending }: SheetImport,
  { opened, groups, words, memory }: CheckedImport,
  from: number,
): AsyncGenerator<RowSlice> {
  const isWhole = ending === 'undone' || file.bytes <= limits.bodyBytes
  if (groups !== undefined && isWhole) {
    if (groups.length > 0) yield { groups, words }
    return
  }
  const size = ending === 'undone' ? Number.POSITIVE_INFINITY : recordsAtOnce
  for await (const slice of inSlicesOf(groupsIn(opened.sheet, opened.source, from), size))
    yield { groups: slice, words: wordsIn(opened, slice, memory) }
}

class RunningImport {
  counts: ImportCounts
  readonly faults: RowFault[] = []
  missing: MissingAnimals | undefined
  readonly #records: Records
  readonly #given: SheetImport
  readonly #begun: ImportState & { readonly checked: CheckedImport }
  /** Progress as stored with the change set; undefined until the first rows are written. */
  #results: string | undefined

  constructor(records: Records, given: SheetImport, begun: ImportState & { readonly checked: CheckedImport }) {
    this.#records = records
    this.#given = given
    this.#begun = begun
    this.counts = begun.earlier?.counts ?? noRows
    this.#results = begun.earlier && JSON.stringify({ sheet: begun.earlier })
  }

  /** Writes some rows, and the progress in the same transaction. */
  async take({ groups, words }: RowSlice): Promise<void> {
    const { checked } = this.#begun
    const row = groups.at(-1)?.rows.at(-1)?.row ?? 0
    const written = await this.#inSet(async (set, tx) => {
      const { caller } = this.#given
      const done = await importRows({ installation: this.#records, tx, caller, set }, checked, { groups, words })
      const counts = addedCounts(this.counts, countsOf(checked.opened, done.values()))
      if (groups === checked.groups) this.missing = await animalsNotIn(tx, checked.opened, { written: done, base: '' })
      return { done, counts, results: JSON.stringify({ sheet: { row, counts } }) }
    })
    this.counts = written.counts
    for (const one of written.done.values()) if (one.result === 'fault') this.faults.push(...one.faults)
    this.#given.report('rows', row, 0)
  }

  /** Marks the import as complete. */
  async end(): Promise<void> {
    if (this.#results === undefined || this.#given.ending === 'undone') return
    const results = JSON.stringify({ sheet: { counts: this.counts } })
    await this.#records.database.write(async (tx) => {
      await noteResults(tx, this.#begun.set, results)
      if (this.#given.options.recall === '1') await rememberSheet(tx, this.#begun.checked.opened)
    })
  }

  /** Another process may have resumed the same import, or the change set may have been undone. */
  async #refuseAnother(tx: Transaction): Promise<void> {
    const kept = await changeSetWith(tx, this.#begun.set)
    if (kept?.results === this.#results && (kept?.undone_by ?? null) === null) return
    throw new Refusal(
      'conflict',
      'Somebody else goes on with this import, or has undone it. Wait until that is over, and begin again with --resume.',
    )
  }

  async #inSet<T extends { readonly results: string }>(
    work: (set: ChangeSet, tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const { ending, caller } = this.#given
    const { database, clock } = this.#records
    const verify = ({ edition }: ChangeBeginning) => requireEdition(this.#records, edition)
    const done = await inChange(database, { beside: 'nobody', ending, verify }, async (tx) => {
      await this.#refuseAnother(tx)
      const given: NewChangeSet = { id: this.#begun.set, at: clock(), uid: caller.uid, client: null, request: null }
      const set = new ChangeSet(given)
      const result = await work(set, tx)
      set.results = result.results
      if (this.#results === undefined) await set.keep(tx)
      else await noteResults(tx, set.id, result.results)
      return result
    })
    if (ending === 'kept') this.#results = done.results
    return done
  }
}

/** Progress of an interrupted import. */
interface InterruptedImport {
  /** The last row written. */
  readonly row: number
  readonly counts: ImportCounts
}

interface ImportState {
  readonly set: string
  readonly earlier: InterruptedImport | undefined
}

/**
 * The id of the change set. It is derived from the file and the options, so that an interrupted import is recognised
 * and resumed. After a complete or undone import, the next one gets another id.
 */
async function beginning(snapshot: Snapshot, word: string, before: 'go on' | 'refuse'): Promise<ImportState> {
  for (let nth = 0; ; nth += 1) {
    const id = setNumbered(word, nth)
    const set = await changeSetWith(snapshot, id)
    if (set === undefined) return { set: id, earlier: undefined }
    const state = stateOf(set)
    if (set.undone_by !== null || state === undefined) continue
    if (state.row === undefined) {
      if (before === 'refuse') continue
      throw new Refusal(
        'conflict',
        `This sheet is in already, as the set ${id}. Without --resume it is taken once more.`,
      )
    }
    if (before === 'go on') return { set: id, earlier: { row: state.row, counts: state.counts } }
    throw new Refusal(
      'conflict',
      `An import of this sheet was interrupted behind row ${state.row}. --resume goes on with it, \`furrow undo ${id}\` takes back what is there.`,
    )
  }
}

/** A complete import has no row. */
function stateOf({ results }: KeptSet): { readonly row?: number; readonly counts: ImportCounts } | undefined {
  return JSON.parse(results ?? '{}').sheet
}

function setNumbered(word: string, nth: number): string {
  const digest = createHash('sha256').update(`${word} ${nth}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

/** A sheet in a file, read in pieces of limited size. */
interface SheetFile extends SheetSource {
  readonly bytes: number
  /** A checksum of the content. */
  readonly fingerprint: string
}

export async function sheetFile(path: string, options: SheetOptions): Promise<SheetFile> {
  try {
    const { size: bytes } = await stat(path)
    const { fingerprint, beginning } = await lookedThrough(path)
    const named = { name: path, bytes: beginning.toString('latin1') }
    // The reader of CSV says what is wrong with a file that no format recognises.
    const format = formatOfFile(named, fileFormatNames.filter(isSheetFormat)) ?? 'csv'
    const pieces = () => createReadStream(path) as AsyncIterable<Buffer>
    const source = await sheetReaders[format]({ pieces, rowLimit: Number.POSITIVE_INFINITY }, options)
    return { ...source, bytes, fingerprint }
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

/** How much of a file is looked at to recognise its format. */
const beginningLength = 1024

/** Once from the first byte to the last. */
async function lookedThrough(path: string): Promise<{ readonly fingerprint: string; readonly beginning: Buffer }> {
  const hash = createHash('sha256')
  let beginning = Buffer.alloc(0)
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    if (beginning.length < beginningLength) beginning = Buffer.concat([beginning, piece.subarray(0, beginningLength)])
  }
  return { fingerprint: hash.digest('hex'), beginning }
}

import { signal } from '@preact/signals'
import { newUuid } from '../../../src/client/changes.ts'
import {
  type FileFormatName,
  fileFormatNames,
  fileFormats,
  isMapFormat,
  isSheetFormat,
  isZip,
} from '../../../src/formats/file-formats.ts'
import type { Failure } from '../../sync/request.ts'
import {
  type ImportOptions,
  type MapAnswer,
  propertiesIn,
  type RowCounts,
  type RowType,
  type SheetAnswer,
} from './import-api.ts'

/** Reasons to reject a file. */
type RejectReason = 'empty' | 'large' | 'workbook' | 'other'

/** The file or pasted text to import. */
export interface ImportSource {
  /** File name; empty if pasted. */
  readonly name: string
  readonly format: FileFormatName
  readonly blob: Blob
}

export interface SheetCheck extends SheetAnswer {
  readonly head: SheetRow | undefined
}

/** Row as it stands in the sheet. */
export type SheetRow = SheetAnswer['shown'][number]

/** Cell by row and column index. */
export interface CellPlace {
  readonly row: number
  readonly at: number
}

/** Result of the server's preview. */
export type ImportCheck =
  | { readonly of: 'sheet'; readonly sheet: SheetCheck }
  | { readonly of: 'map'; readonly map: MapAnswer }

export interface ImportOutcome {
  readonly counts: RowCounts
  readonly set: string | null
  readonly isUndone: boolean
}

export type ImportWork = 'checking' | 'importing' | 'undoing'

/** The failed action and its reason. */
export interface ImportFailure extends Failure {
  readonly doing: ImportWork
}

/** Kept as long as the page is open, also while the user looks at other screens. */
export const pasted = signal('')
export const source = signal<ImportSource | null>(null)
/** Reason why the file cannot be imported. */
export const rejectReason = signal<RejectReason | null>(null)
export const rowType = signal<RowType | null>(null)
/** Property names of a map, as far as they are known. */
export const properties = signal<readonly string[]>([])
export const importOptions = signal<ImportOptions>({ map: {}, parameters: {} })
export const checked = signal<ImportCheck | null>(null)
/** Column mapping of the last check. */
export const checkedMap = signal<ImportOptions['map']>({})
/** Edited cells, by place; the server reads them instead of those in the file. */
export const edits = signal<ReadonlyMap<string, string>>(new Map())
/** Texts for all equal cells of a column, as parameters of the address. */
export const valueParameters = signal<Readonly<Record<string, string>>>({})
/** True if options or cells have changed since the last check. */
export const isStale = signal(false)
export const failure = signal<ImportFailure | null>(null)
export const outcome = signal<ImportOutcome | null>(null)
/** How far an undoing in slices is. */
export const undoProgress = signal<{ readonly done: number; readonly records: number } | null>(null)
export const work = signal<ImportWork | null>(null)

/** `Idempotency-Key`: new for each changed upload. */
export const key = signal(newUuid())

let lastFormat: FileFormatName = 'csv'

/** The column mapping may also suit the next file. */
export function startAnew(map: ImportOptions['map'] = importOptions.value.map): void {
  source.value = null
  outcome.value = null
  rejectReason.value = null
  forget(map)
}

function forget(map: ImportOptions['map']): void {
  checked.value = null
  checkedMap.value = {}
  failure.value = null
  importOptions.value = { map, parameters: {} }
  edits.value = new Map()
  valueParameters.value = {}
  isStale.value = false
  key.value = newUuid()
}

/** Bytes: enough for the properties of a few features. */
const someFeatures = 65_536

/** Accepts a file or text if it is a sheet or a map. */
export async function takeSource(blob: Blob, name: string): Promise<void> {
  const beginning = new Uint8Array(await blob.slice(0, beginningLength).arrayBuffer())
  const format = recognise({ name, size: blob.size, beginning })
  if (!isFormat(format)) {
    startAnew()
    rejectReason.value = format
    return
  }
  properties.value = isMapFormat(format) ? propertiesIn(await blob.slice(0, someFeatures).text()) : []
  startAnew(isMapFormat(format) === isMapFormat(lastFormat) ? undefined : {})
  lastFormat = format
  source.value = { name, format, blob }
}

const isFormat = (format: FileFormatName | RejectReason): format is FileFormatName => format in fileFormats

/** True for a sheet. */
export const hasRows = (given: ImportSource | null): given is ImportSource =>
  given !== null && isSheetFormat(given.format)

interface FileBeginning {
  /** File name; empty if pasted. */
  readonly name: string
  readonly size: number
  readonly beginning: Uint8Array
}

/** Upload limit of the server. */
const mostBytes = 32 * 1024 * 1024

/** Bytes needed to recognise the format. */
const beginningLength = 4096

/** Recognises the format by the first bytes; the name decides if they are not enough. */
export function recognise({ name, size, beginning }: FileBeginning): FileFormatName | RejectReason {
  if (size > mostBytes) return 'large'
  const bytes = String.fromCharCode(...beginning.subarray(0, beginningLength))
  const format = fileFormatNames.find((one) => fileFormats[one].recognise({ name, bytes }) === 'sure')
  return format ?? rejectReasonOf(name, bytes)
}

function rejectReasonOf(name: string, bytes: string): RejectReason {
  if (isZip(bytes))
    return /\.(?:xls\w|ods|numbers)$/i.test(name) || /\[Content_Types\]|xl\/|oasis\.opendocument/.test(bytes)
      ? 'workbook'
      : 'other'
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return 'workbook'
  return bytes.replace(/^\xef\xbb\xbf/, '').trim() === '' ? 'empty' : 'other'
}

export function chooseRowType(chosen: RowType): void {
  rowType.value = chosen
  forget({})
}

/** Changes reading options; the next step is a new check. */
export function changeOptions(change: Partial<ImportOptions>): void {
  const { map, parameters } = importOptions.value
  importOptions.value = { map: { ...map, ...change.map }, parameters: { ...parameters, ...change.parameters } }
  touched()
}

function touched(): void {
  isStale.value = true
  key.value = newUuid()
}

/** Edits a cell until the next check. */
export function edit(place: CellPlace, text: string): void {
  edits.value = new Map(edits.value).set(placeKey(place), text)
  touched()
}

/** Another text for all cells of a column that say the same. */
export function editAll(column: string, value: string, text: string): void {
  valueParameters.value = { ...valueParameters.value, [valueName(column, value)]: text }
  touched()
}

export const editOfAll = (column: string, value: string): string | undefined =>
  valueParameters.value[valueName(column, value)]

const valueName = (column: string, value: string): string => `value[${column}][${value}]`

export const editOf = (place: CellPlace): string | undefined => edits.value.get(placeKey(place))

const placeKey = ({ row, at }: CellPlace): string => `${row} ${at}`

/** Stores the result of a check and its source. */
export function noteChecked(checkedSource: ImportSource, found: ImportCheck | null): void {
  source.value = checkedSource
  checked.value = found
  checkedMap.value = importOptions.value.map
  isStale.value = false
}

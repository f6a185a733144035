import { signal } from '@preact/signals'
import {
  type FileFormatName,
  fileFormatNames,
  fileFormats,
  isMapFormat,
  isSheetFormat,
  isZip,
} from '../../../src/formats/file-formats.ts'
import { newUuid } from '../../store/uuid.ts'
import type { Failure } from '../../sync/request.ts'
import {
  type ImportOptions,
  type MapAnswer,
  propertiesIn,
  type RowCounts,
  type RowType,
  type SheetAnswer,
} from './import-api.ts'
import type { SheetRow } from './sheet-text.ts'

/** Why something can be neither. */
type Unfit = 'empty' | 'large' | 'workbook' | 'utf-16' | 'other'

/** What somebody has brought. */
export interface ImportSource {
  /** Of its file; nothing where it was pasted. */
  readonly name: string
  readonly format: FileFormatName
  readonly blob: Blob
}

export interface SheetCheck extends SheetAnswer {
  readonly head: SheetRow | undefined
  /** The first ones, and those that something is wrong with. */
  readonly shown: readonly SheetRow[]
}

/** A cell, by its row and how many stand before it. */
export interface CellPlace {
  readonly row: number
  readonly at: number
}

/** What the farm says would become of it. */
export type ImportCheck =
  | { readonly of: 'sheet'; readonly sheet: SheetCheck }
  | { readonly of: 'map'; readonly map: MapAnswer }

export interface ImportOutcome {
  readonly counts: RowCounts
  readonly set: string | null
  readonly isUndone: boolean
}

export type ImportWork = 'checking' | 'importing' | 'undoing'

/** What could not be done, and why. */
export interface ImportFailure extends Failure {
  readonly doing: ImportWork
}

/** Kept as long as the page is: whoever looks something up meanwhile finds it as it was. */
export const pasted = signal('')
export const source = signal<ImportSource | null>(null)
/** Why what was brought cannot be taken. */
export const unfit = signal<Unfit | null>(null)
export const rowType = signal<RowType | null>(null)
/** Of the features of a map, as far as they can be seen. */
export const properties = signal<readonly string[]>([])
export const importOptions = signal<ImportOptions>({ map: {}, said: {} })
export const checked = signal<ImportCheck | null>(null)
/** What the headers were said to stand for when the farm looked. */
export const checkedMap = signal<ImportOptions['map']>({})
/** Texts for cells, by their places. */
export const edits = signal<ReadonlyMap<string, string>>(new Map())
/** Something was said or mended since. */
export const isStale = signal(false)
export const failure = signal<ImportFailure | null>(null)
export const outcome = signal<ImportOutcome | null>(null)
export const work = signal<ImportWork | null>(null)

/** Made anew with whatever is to be sent, so that only the same is taken for the same. */
export const key = signal(newUuid())

let lastFormat: FileFormatName = 'csv'

/** What was said of its columns may hold for the next one, too. */
export function startAnew(map: ImportOptions['map'] = importOptions.value.map): void {
  source.value = null
  outcome.value = null
  unfit.value = null
  forget(map)
}

function forget(map: ImportOptions['map']): void {
  checked.value = null
  checkedMap.value = {}
  failure.value = null
  importOptions.value = { map, said: {} }
  edits.value = new Map()
  isStale.value = false
  key.value = newUuid()
}

/** Enough to see the properties of a few features. */
const someFeatures = 65_536

/** Takes a file or a text, if it is a sheet or a map. */
export async function takeSource(blob: Blob, name: string): Promise<void> {
  const beginning = new Uint8Array(await blob.slice(0, beginningLength).arrayBuffer())
  const format = recognise({ name, size: blob.size, beginning })
  if (!isFormat(format)) {
    startAnew()
    unfit.value = format
    return
  }
  properties.value = isMapFormat(format) ? propertiesIn(await blob.slice(0, someFeatures).text()) : []
  startAnew(isMapFormat(format) === isMapFormat(lastFormat) ? undefined : {})
  lastFormat = format
  source.value = { name, format, blob }
}

const isFormat = (format: FileFormatName | Unfit): format is FileFormatName => format in fileFormats

/** Whether rows were brought, which become records of one type. */
export const hasRows = (given: ImportSource | null): given is ImportSource =>
  given !== null && isSheetFormat(given.format)

interface FileBeginning {
  /** Of the file; nothing of what was pasted. */
  readonly name: string
  readonly size: number
  /** Its first bytes. */
  readonly beginning: Uint8Array
}

/** As much as the farm takes at once. */
const mostBytes = 32 * 1024 * 1024

/** So many bytes tell what it is. */
const beginningLength = 4096

/** The format of a file by its first bytes; the name helps where these are not enough. */
export function recognise({ name, size, beginning }: FileBeginning): FileFormatName | Unfit {
  if (size > mostBytes) return 'large'
  const bytes = String.fromCharCode(...beginning.subarray(0, beginningLength))
  const format = fileFormatNames.find((one) => fileFormats[one].recognise({ name, bytes }) === 'sure')
  return format ?? unfitnessOf(name, bytes)
}

function unfitnessOf(name: string, bytes: string): Unfit {
  if (isZip(bytes))
    return /\.(?:xls\w|ods|numbers)$/i.test(name) || /\[Content_Types\]|xl\/|oasis\.opendocument/.test(bytes)
      ? 'workbook'
      : 'other'
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return 'workbook'
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes)) return 'utf-16'
  return bytes.replace(/^\xef\xbb\xbf/, '').trim() === '' ? 'empty' : 'other'
}

export function chooseRowType(chosen: RowType): void {
  rowType.value = chosen
  forget({})
}

/** Says something of how it is to be read; the farm has to look again. */
export function changeOptions(change: Partial<ImportOptions>): void {
  const { map, said } = importOptions.value
  importOptions.value = { map: { ...map, ...change.map }, said: { ...said, ...change.said } }
  touched()
}

function touched(): void {
  isStale.value = true
  key.value = newUuid()
}

/** Another text for a cell, until the farm looks again. */
export function edit(place: CellPlace, text: string): void {
  edits.value = new Map(edits.value).set(placeKey(place), text)
  touched()
}

export const editOf = (place: CellPlace): string | undefined => edits.value.get(placeKey(place))

const placeKey = ({ row, at }: CellPlace): string => `${row} ${at}`

/** What the farm has looked at, and what it found. */
export function noteChecked(looked: ImportSource, found: ImportCheck | null): void {
  source.value = looked
  checked.value = found
  checkedMap.value = importOptions.value.map
  edits.value = new Map()
  isStale.value = false
}

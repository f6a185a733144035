import { fileFormats, isSheetFormat } from '../../../src/formats/file-formats.ts'
import { previewImport, runImport, undoChangeSet } from '../../sync/online-actions.ts'
import type { Answer, Failure } from '../../sync/request.ts'
import {
  type MapAnswer,
  mapAddress,
  optionName,
  optionValue,
  type ReadingOption,
  type SheetAnswer,
  sheetAddress,
} from './import-api.ts'
import {
  changeOptions,
  checked,
  editOf,
  edits,
  failure,
  hasRows,
  type ImportCheck,
  type ImportSource,
  type ImportWork,
  importOptions,
  key,
  noteChecked,
  outcome,
  pasted,
  rowType,
  type SheetCheck,
  source,
  work,
} from './import-state.ts'
import { rowsOf, withCell } from './sheet-text.ts'

let leaving = new AbortController()

export const stop = (): void => leaving.abort()

/** Asks the server for a preview. */
export async function check(): Promise<void> {
  leaving = new AbortController()
  const { signal } = leaving
  await oneAtATime('checking', async (importSource) => {
    const checkedSource = await edited(importSource)
    const answer = await previewImport<SheetAnswer & MapAnswer>(request(checkedSource, { on_fault: 'skip' }), signal)
    if (signal.aborted) return
    const found = await findings(answer, checkedSource)
    if (found === null && answer.failure !== null) fail('checking', answer)
    // Without signal the last findings stay.
    if (found !== null || answer.failure === 'failed') noteChecked(checkedSource, found)
  })
}

/** Answers a question, and checks again. */
export function answerAndCheck(reading: ReadingOption): void {
  changeOptions({ parameters: { [optionName(reading)]: optionValue(reading) } })
  void check()
}

/** Imports everything, or only the rows without faults. */
export async function importIt(faulty: 'none' | 'left-out'): Promise<void> {
  await oneAtATime('importing', async (importSource) => {
    const more: QueryWords = faulty === 'left-out' ? { on_fault: 'skip' } : {}
    const answer = await runImport<SheetAnswer & MapAnswer>(request(importSource, more), key.value)
    if (answer.failure === null) {
      outcome.value = { counts: answer.body.counts, set: answer.headers.get('change-set'), isUndone: false }
      return
    }
    const found = await findings(answer, importSource)
    if (found === null) fail('importing', answer)
    else noteChecked(importSource, found)
  })
}

export async function undo(): Promise<void> {
  const done = outcome.value
  const set = done?.set ?? null
  if (done === null || set === null) return
  await oneAtATime('undoing', async () => {
    const answer = await undoChangeSet(set)
    if (answer.failure === null) outcome.value = { ...done, isUndone: true }
    else fail('undoing', answer)
  })
}

function fail(doing: ImportWork, answer: Failure): void {
  failure.value = { ...answer, doing }
}

/** Runs one request at a time. */
async function oneAtATime(doing: ImportWork, act: (importSource: ImportSource) => Promise<void>): Promise<void> {
  const importSource = source.value
  if (work.value !== null || importSource === null) return
  work.value = doing
  failure.value = null
  try {
    await act(importSource)
  } finally {
    work.value = null
  }
}

type QueryWords = Readonly<Record<string, string>>

function request({ format, blob: body }: ImportSource, more: QueryWords) {
  const { map, parameters } = importOptions.value
  const row = rowType.value
  const isSheet = isSheetFormat(format) && row !== null
  const options = { map, parameters: { ...parameters, ...more } }
  const path = isSheet ? sheetAddress(row, options) : mapAddress(options)
  return { path, contentType: fileFormats[format].mediaType, body }
}

/** Null if the server did not read the content. */
async function findings(
  answer: Answer<SheetAnswer & MapAnswer>,
  checkedSource: ImportSource,
): Promise<ImportCheck | null> {
  const document = answer.failure === null ? answer.body : answer.refusal
  if (hasRows(checkedSource) && document?.found !== undefined)
    return { of: 'sheet', sheet: await withRows(document as unknown as SheetAnswer, checkedSource) }
  return answer.failure === null ? { of: 'map', map: answer.body } : null
}

const [firstRows, faultyRows] = [5, 20]

/** Answer about a sheet, with the cells of the shown rows: the first ones, and those with faults. */
async function withRows(answer: SheetAnswer, { blob }: Pick<ImportSource, 'blob'>): Promise<SheetCheck> {
  const { found, rows } = answer
  const faulty = rows.filter(({ result }) => result === 'fault').slice(0, faultyRows)
  const wanted = new Set(faulty.map(({ row }) => row))
  const last = Math.max(found.head_row, ...wanted)
  let seen = 0
  const [head, ...shown] = await rowsOf(await textOf(blob, found.encoding), found.separator, (row) => {
    if (row < found.head_row) return 'no'
    if (seen > firstRows && !wanted.has(row)) return row > last ? 'no-more' : 'no'
    seen++
    return 'yes'
  })
  return { ...answer, head, shown }
}

/** Decodes the text as the server detected it. */
const textOf = async (blob: Blob, encoding: string): Promise<string> =>
  new TextDecoder(encoding).decode(await blob.arrayBuffer())

/** Applies the user's edits to the sheet. */
async function edited(importSource: ImportSource): Promise<ImportSource> {
  const document = checked.value
  if (document?.of !== 'sheet' || edits.value.size === 0) return importSource
  let text = await textOf(importSource.blob, document.sheet.found.encoding)
  // From the last to the first, so that offsets stay valid.
  for (const { row, cells } of document.sheet.shown.toReversed())
    for (const [at, cell] of [...cells.entries()].toReversed()) {
      const other = editOf({ row, at })
      if (other !== undefined) text = withCell(text, cell, other)
    }
  if (importSource.name === '') pasted.value = text
  return { ...importSource, blob: new Blob([text]) }
}

import { fileFormats, isSheetFormat } from '../../../src/formats/file-formats.ts'
import { previewImport, runImport, undoChangeSet, undoInSlices } from '../../sync/online-actions.ts'
import type { Answer, Failure } from '../../sync/request.ts'
import { language } from '../../words/language.ts'
import { mostUndoneAtOnce, savedCount } from './counts.tsx'
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
  rowType,
  type SheetCheck,
  source,
  undoProgress,
  valueParameters,
  work,
} from './import-state.ts'

let leaving = new AbortController()

export const stop = (): void => leaving.abort()

/** Asks the server for a preview. */
export async function check(): Promise<void> {
  leaving = new AbortController()
  const { signal } = leaving
  await oneAtATime('checking', async (importSource) => {
    const answer = await previewImport<SheetAnswer & MapAnswer>(
      request(importSource, previewWords(importSource)),
      signal,
    )
    if (signal.aborted) return
    const found = findings(answer, importSource)
    if (found === null && answer.failure !== null) fail('checking', answer)
    // Without signal the last findings stay.
    if (found !== null || answer.failure === 'failed') noteChecked(importSource, found)
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
    const found = findings(answer, importSource)
    if (found === null) fail('importing', answer)
    else noteChecked(importSource, found)
  })
}

export async function undo(): Promise<void> {
  const done = outcome.value
  const set = done?.set ?? null
  if (done === null || set === null) return
  await oneAtATime('undoing', async () => {
    const isLarge = savedCount(done.counts) > mostUndoneAtOnce
    const answer = await (isLarge
      ? undoInSlices(set, ({ records, pending }) => {
          undoProgress.value = { done: records - pending, records }
        })
      : undoChangeSet(set))
    undoProgress.value = null
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

function request({ name, format, blob: body }: ImportSource, more: QueryWords) {
  const { map, parameters } = importOptions.value
  const row = rowType.value
  const isSheet = isSheetFormat(format) && row !== null
  const options = {
    map,
    parameters: {
      ...(isSheet
        ? { again: '0', recall: '1', kinds: '1', language: language.value, file: name, ...cellParameters() }
        : {}),
      ...parameters,
      ...more,
    },
  }
  const path = isSheet ? sheetAddress(row, options) : mapAddress(options)
  return { path, contentType: fileFormats[format].mediaType, body }
}

/** A preview lists faults, and a map has its shapes to draw. */
const previewWords = (importSource: ImportSource): QueryWords =>
  hasRows(importSource) ? { on_fault: 'skip' } : { on_fault: 'skip', shapes: '1' }

/** Null if the server did not read the content. */
function findings(answer: Answer<SheetAnswer & MapAnswer>, checkedSource: ImportSource): ImportCheck | null {
  const document = answer.failure === null ? answer.body : answer.refusal
  if (hasRows(checkedSource) && document?.found !== undefined)
    return { of: 'sheet', sheet: withHead(document as unknown as SheetAnswer) }
  return answer.failure === null ? { of: 'map', map: answer.body } : null
}

/** The first of the shown rows is the header row. */
function withHead(answer: SheetAnswer): SheetCheck {
  const [head, ...shown] = answer.shown
  return { ...answer, head, shown }
}

/** The user's edits, as parameters of the address. */
const cellParameters = () => ({
  ...valueParameters.value,
  ...Object.fromEntries(
    [...edits.value].map(([place, text]) => {
      const [row = '', at = '0'] = place.split(' ')
      return [`cell[${row}][${Number(at) + 1}]`, text]
    }),
  ),
})

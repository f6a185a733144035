import type { RecordType } from '../../farm/farm.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import type { Records } from '../../records/records.ts'
import { type HeaderTarget, keptInNotes, meantByHeader, targetOfSubject } from './column-subjects.ts'
import { guessByContent, rowsOfContent, subjectsTaken } from './content-guesses.ts'
import { type ColumnGuess, columnNumbered, columnsOfHeaders } from './headers.ts'
import type { SheetOptions } from './import-options.ts'
import { rowsOf, type SheetSource } from './sheet-source.ts'

type Targets = ReadonlyMap<string, HeaderTarget>

/** What headers stand for by the words that people use. */
export const guessFor =
  (type: RecordType['name'], targets: Targets, languages: readonly string[] = []) =>
  (header: string): ColumnGuess | undefined => {
    const meant = meantByHeader(header, { type, targets, languages })
    return meant && { ...meant, because: 'synonym' }
  }

/** A column that people keep and no field takes. */
export function byNotes(header: string): ColumnGuess | undefined {
  const target = keptInNotes(header)
  return target && { targets: [target], rank: 0, because: 'synonym' }
}

interface ColumnsToGuess {
  readonly type: RecordType
  readonly used: readonly string[]
  readonly source: SheetSource
  readonly head: CsvRow
  readonly targets: Targets
  readonly options: SheetOptions
  readonly byWords: ReturnType<typeof guessFor>
}

/** Columns that no header explains, by their cells. */
export async function contentGuesses(
  { database }: Pick<Records, 'database'>,
  { type, used, source, head, targets, options, byWords }: ColumnsToGuess,
) {
  const rest = { map: options.map, others: undefined }
  const known = columnsOfHeaders(head, { targets, options: rest, guess: byWords }, [])
  const unknown = new Map(
    head.cells.flatMap((header, at) => {
      const isSaid = options.map.has(trimmedTextKey(header || columnNumbered(at)))
      return isSaid || known.some((column) => column.at === at) ? [] : [[at, header] as const]
    }),
  )
  if (unknown.size === 0) return () => undefined
  const rows: CsvRow[] = []
  for await (const row of rowsOf(source)) if (row.row > head.row && rows.push(row) === rowsOfContent) break
  const taken = new Set(
    known.flatMap(({ name, topic, member }) => subjectsTaken(topic?.subject ?? member?.name ?? name)),
  )
  const areOfCrops = used.some((bundle) => type.bundles[bundle]?.report === 'harvest')
  const subjects = await database.read((snapshot) =>
    guessByContent(snapshot, { type: type.name, areOfCrops, rows, unknown, taken }),
  )
  return (at: number): ColumnGuess | undefined => {
    const subject = subjects.get(at)
    const target = subject && targetOfSubject(subject, { type: type.name, targets })
    return target && { targets: [target], rank: 0, because: 'content' }
  }
}

import type { Encoding } from '../../../../formats/csv/encoding.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import type { Separator } from '../../../../formats/csv/write-csv.ts'

/** The rows of a sheet, which can be gone through several times, some at a time. */
export interface SheetSource {
  readonly encoding: Encoding
  readonly separator: Separator
  slices(): AsyncIterable<readonly CsvRow[]>
}

/** Each row, with a pause now and then in which others are answered. */
export async function* rowsOf(source: SheetSource): AsyncGenerator<CsvRow> {
  for await (const slice of source.slices()) yield* slice
}

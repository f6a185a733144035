import { byteOrderMark, csvRow } from '../../../formats/csv/write-csv.ts'
import type { ReadyAnswer } from '../../http/answers/ready-answer.ts'
import { csvHeaders } from '../sheets/sheet-headers.ts'
import type { Layout } from '../sheets/sheet-query.ts'

export const jsonAnswer = (document: object): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(document)),
})

export const csvAnswer = (
  rows: readonly (readonly string[])[],
  { name, layout }: { readonly name: string; readonly layout: Layout },
): ReadyAnswer => ({
  status: 200,
  headers: csvHeaders(name),
  body: Buffer.from(
    (layout.mark === 'without' ? '' : byteOrderMark) + rows.map((row) => csvRow(row, layout.separator)).join(''),
  ),
})

import type { FastifyReply, FastifyRequest } from 'fastify'
import { byteOrderMark, csvRow } from '../../formats/csv/write-csv.ts'
import { fileFormats, type SheetFormatName } from '../../formats/file-formats.ts'
import type { CsvLayout } from '../../sheets/sheet-query.ts'
import { workbookOf } from '../../sheets/write-workbook.ts'
import { attachmentNamed } from '../http/content-disposition.ts'
import { deliver, type ReadyAnswer, withEtag } from '../http/record-answers.ts'

/** A JSON-only answer with an ETag of its bytes. */
export const sendJson = (request: FastifyRequest, reply: FastifyReply, answer: object): FastifyReply =>
  deliver(
    reply,
    withEtag(request, {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(answer),
    }),
  )

export const jsonAnswer = (document: object): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(document)),
})

interface NamedSheet {
  readonly name: string
  readonly layout: CsvLayout
  readonly format: SheetFormatName
}

/** Rows of cells, the first with the headers. */
export const sheetAnswer = async (
  rows: readonly (readonly string[])[],
  { name, layout, format }: NamedSheet,
): Promise<ReadyAnswer> => ({
  status: 200,
  headers: sheetHeaders(name, format),
  body: format === 'xlsx' ? await workbookOf(rows) : csvOf(rows, layout),
})

const csvOf = (rows: readonly (readonly string[])[], { mark, separator }: CsvLayout): Buffer =>
  Buffer.from((mark === 'without' ? '' : byteOrderMark) + rows.map((row) => csvRow(row, separator)).join(''))

const parametersOfType: Readonly<Record<SheetFormatName, string>> = { csv: '; charset=utf-8; header=present', xlsx: '' }

/** What tells browsers and programs that it is a sheet, and what to call it. */
export const sheetHeaders = (name: string, format: SheetFormatName) => ({
  'content-type': `${fileFormats[format].mediaType}${parametersOfType[format]}`,
  'content-disposition': attachmentNamed(`${name}.${format}`),
})

import type { FastifyReply, FastifyRequest } from 'fastify'
import { byteOrderMark, csvRow } from '../../formats/csv/write-csv.ts'
import { fileFormats } from '../../formats/file-formats.ts'
import type { CsvLayout } from '../../sheets/sheet-query.ts'
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

export const csvAnswer = (
  rows: readonly (readonly string[])[],
  { name, layout }: { readonly name: string; readonly layout: CsvLayout },
): ReadyAnswer => ({
  status: 200,
  headers: csvHeaders(name),
  body: Buffer.from(
    (layout.mark === 'without' ? '' : byteOrderMark) + rows.map((row) => csvRow(row, layout.separator)).join(''),
  ),
})

/** Headers that name the sheet and its type. */
export const csvHeaders = (name: string) => ({
  'content-type': `${fileFormats.csv.mediaType}; charset=utf-8; header=present`,
  'content-disposition': attachmentNamed(`${name}.csv`),
})

import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { Refusal } from '../../../refusal.ts'
import { carryOut } from '../../http/answers/idempotency.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { bytesOf } from '../../http/body.ts'
import { callerOf } from '../../http/caller.ts'
import { contentTypeOf, requirePlainBytes } from '../../http/content-type.ts'
import { readQuery } from '../../http/query.ts'
import type { Collection } from '../collection.ts'
import { refuseAsOf } from '../intake/as-of.ts'
import { sendOne } from '../wire/answer.ts'
import { checkSheet, importRows, refuseFaulty, rowsToWrite } from './intake/import-sheet.ts'
import { openSheet } from './intake/opened-sheet.ts'
import { sheetOptionsIn } from './intake/options.ts'
import { countsOf, foundOut, rowsTold } from './intake/outcome.ts'
import { sourceOf } from './intake/text-source.ts'

/** Whether a request brings a sheet. */
export const isSheet = (request: FastifyRequest): boolean => contentTypeOf(request).type === 'text/csv'

/** Makes and changes records by the rows of a sheet. */
export async function takeSheet(
  { installation, type }: Collection,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  // What is said of its rows tells of other records.
  requireRight(caller, 'read-records')
  const entries = readQuery(request.url)
  refuseAsOf(entries)
  const options = sheetOptionsIn(entries)
  const source = await sourceOf(sheetBytes(request), options.separator)
  const opened = await openSheet(installation, { type, options, source })
  const checked = await checkSheet({ installation, caller, opened })
  const rows = await rowsToWrite(checked.opened)
  const base = baseAddressOf(request, installation)
  const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
    refuseFaulty(checked)
    const written = await importRows(work, checked, rows)
    const told = await rowsTold(work.tx, checked.opened, { written, base })
    const answer = { counts: countsOf(checked.opened, written.values()), found: foundOut(checked.opened), rows: told }
    return { status: 200, headers: {}, json: JSON.stringify(answer) }
  })
  return sendOne(request, reply, { root: 'sheet', json })
}

/** What a client says of the letters is mostly a habit: the bytes themselves tell. */
const charsets: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'windows-1252', 'iso-8859-1']

function sheetBytes(request: FastifyRequest): Buffer {
  const { charset } = contentTypeOf(request)
  if (!charsets.includes(charset))
    throw new Refusal('unsupported-media-type', `The charset "${charset}" is not understood: send UTF-8.`)
  requirePlainBytes(request)
  return bytesOf(request)
}

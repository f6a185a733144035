import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { isoTime } from '../../../fields/time-zone.ts'
import type { Records } from '../../../records/records.ts'
import { deliver, tagged } from '../../http/answers/ready-answer.ts'
import type { WholeAnswers } from '../../http/answers/whole-answers.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import type { Lines } from './sheet.ts'
import { csvHeaders } from './sheet-headers.ts'
import { sheetOfRecords } from './sheet-of-records.ts'
import { templateOf } from './template.ts'

/** Lists of records as sheets, and empty sheets to fill in (docs/sheets.md). */
export function sheetRoutes(app: FastifyInstance, installation: Records, answers: WholeAnswers): void {
  for (const type of recordTypeNames) {
    app.get(`/${resourceNames[type]}.csv`, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      const base = baseAddressOf(request, installation)
      const sheet = sheetOfRecords(installation, { caller, type, base, entries: readQuery(request.url) })
      return answers.send({
        request,
        reply,
        caller,
        async write(snapshot) {
          const { name, zone, lines } = await sheet(snapshot)
          const today = isoTime(installation.clock(), zone).slice(0, 10)
          return { headers: csvHeaders(`${name}-${today}`), pieces: textOf(lines) }
        },
      })
    })
    app.get<{ Params: { readonly file: string } }>(`/sheets/${resourceNames[type]}/:file`, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'read-records')
      const bundle = request.params.file.replace(/\.csv$/, '')
      const write = templateOf(installation, { type, bundle, entries: readQuery(request.url) })
      const body = await installation.database.read(write)
      return deliver(reply, tagged(request, { status: 200, headers: csvHeaders(bundle), body }))
    })
  }
}

async function* textOf(lines: AsyncIterable<Lines>): AsyncGenerator<string> {
  for await (const { text } of lines) yield text
}

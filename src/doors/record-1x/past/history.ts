import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight, trashViewOf } from '../../../access/caller.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import type { Records } from '../../../records/records.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import { numberAsked } from '../intake/paging.ts'
import { recordIdAt, requireRecordId } from '../intake/record-id.ts'
import { refuseOthers } from './asked.ts'
import { historyDocument } from './history-document.ts'
import { sendJson } from './json-answer.ts'

/** How many revisions a page has. */
export const revisionsPerPage = { usual: 50, most: 200 } as const

/** What became of a record: who changed what of it, and when. */
export function historyRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames)
    app.get(`/${resourceNames[type]}/:id/history.json`, (request, reply) =>
      history({ installation, type }, request, reply),
    )
}

interface Of {
  readonly installation: Records
  readonly type: RecordTypeName
}

async function history({ installation, type }: Of, request: FastifyRequest, reply: FastifyReply) {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  requireRecordId(request)
  const entries = readQuery(request.url)
  refuseOthers(entries, ['limit', 'before'])
  const limit = numberAsked(entries, 'limit', { least: 1, most: revisionsPerPage.most }) ?? revisionsPerPage.usual
  const before = numberAsked(entries, 'before', { least: 1, most: Number.MAX_SAFE_INTEGER })
  const base = baseAddressOf(request, installation)
  const trash = trashViewOf(caller)
  const asked = { installation, base, type, limit, trash, ...(before === undefined ? {} : { before }) }
  const document = await installation.database.read(
    async (snapshot) => historyDocument(snapshot, { ...asked, id: await recordIdAt(request, type, snapshot) }),
    readBudgetOf(request, installation),
  )
  return sendJson(request, reply, document)
}

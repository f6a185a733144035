import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { shown } from '../../../fields/place.ts'
import type { Records } from '../../../records/records.ts'
import { revertIn } from '../../../records/writing/revert.ts'
import { Refusal } from '../../../refusal.ts'
import { carryOut } from '../../http/answers/idempotency.ts'
import { seenBy } from '../../http/answers/versions.ts'
import { readBody } from '../../http/body.ts'
import { callerOf } from '../../http/caller.ts'
import { takesDryRun } from '../../http/dry-run.ts'
import { readQuery } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { refuseAsOf } from '../intake/as-of.ts'
import { bodyTree } from '../intake/record-draft.ts'
import { recordIdAt, requireRecordId } from '../intake/record-id.ts'
import { sendOne } from '../wire/answer.ts'
import { extrasOfAnswer, written } from '../writing.ts'

/** A record as it was at an earlier revision. */
export function revertRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames)
    app.post(`/${resourceNames[type]}/:id/revert`, takesDryRun, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'write-records')
      refuseAsOf(readQuery(request.url))
      requireRecordId(request)
      const revision = revisionIn(readBody(request))
      const extras = extrasOfAnswer({ installation, type }, request)
      const json = await carryOut(installation, { request, reply, caller }, async (work) => {
        const record = await revertIn(work, {
          type,
          id: await recordIdAt(request, type, work.tx),
          revision,
          ...seenBy(request, installation.edition),
        })
        return written({ installation, type }, request, { work, record, extras })
      })
      return sendOne(request, reply, { root: resourceNames[type], json })
    })
}

function revisionIn(body: unknown): number {
  const { revision, ...others } = bodyTree(body)
  const [other] = Object.keys(others)
  if (other !== undefined) throw notValid(other, 'is not known here', ['revision'])
  const number = wholeNumber(revision)
  if (number !== undefined && number > 0) return number
  throw notValid('revision', `must be the number of a revision, from 1 up, not ${shown(revision)}`)
}

function notValid(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault = allowed === undefined ? { field, message } : { field, message, allowed }
  return new Refusal('invalid-content', `${field}: ${message}.`, { faults: [fault] })
}

import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { knownAs, type SetRecord } from '../../../records/undoing/set-records.ts'
import type { UndoStep } from '../../../records/undoing/steps.ts'
import { type Leave, undoIn } from '../../../records/undoing/undo.ts'
import type { SkippedRecord } from '../../../records/undoing/undo-plan.ts'
import { Refusal } from '../../../refusal.ts'
import { nameOf } from '../../../storage/records/stored.ts'
import { carryOut } from '../../http/answers/idempotency.ts'
import { callerOf } from '../../http/caller.ts'
import { takesDryRunAlone } from '../../http/dry-run.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { parameter } from '../intake/paging.ts'
import { sendOne } from '../wire/answer.ts'
import { inItsWords } from '../wire/in-its-words.ts'
import { refuseOthers } from './asked.ts'
import { setIdIn } from './sets.ts'

/** Takes all changes of one request back. */
export function undoRoutes(app: FastifyInstance, installation: Records): void {
  app.post('/changes/:set/undo', takesDryRunAlone, async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    const undoing = { set: setIdIn(request), leave: leaveIn(readQuery(request.url)) }
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
      const { undone, left } = await undoIn(work, undoing)
      const answer = { set: work.set.id, undoes: undoing.set, undone: undone.map(doneOf), left: left.map(leftOf) }
      return { status: 200, headers: {}, json: JSON.stringify(answer) }
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? inItsWords(error) : error
    })
    return sendOne(request, reply, { root: 'undo', json })
  })
}

function leaveIn(entries: readonly QueryEntry[]): Leave {
  refuseOthers(entries, ['leave', 'dry_run'])
  const leave = parameter(entries, 'leave')
  if (leave === undefined || leave === 'used') return leave ?? 'nothing'
  throw badQuery('leave', 'must be used', ['used'])
}

const whichOf = (record: SetRecord) => {
  const known = knownAs(record)
  return {
    type: resourceNames[record.type],
    id: String(record.id),
    uuid: record.uuid,
    name: known === null ? null : nameOf(known),
  }
}

const doneOf = ({ record, verb }: UndoStep) => ({ ...whichOf(record), verb })

const leftOf = ({ record, because }: SkippedRecord) => ({ ...whichOf(record), because })

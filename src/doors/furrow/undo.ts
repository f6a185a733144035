import type { FastifyInstance } from 'fastify'
import { type Caller, requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { undoInSlices } from '../../records/undoing/in-slices.ts'
import { knownAs, type SetRecord } from '../../records/undoing/set-records.ts'
import type { UndoStep } from '../../records/undoing/steps.ts'
import { type LeaveRule, type UndoRequest, undoIn } from '../../records/undoing/undo.ts'
import type { SkippedRecord } from '../../records/undoing/undo-plan.ts'
import { Refusal } from '../../refusal.ts'
import { nameOf } from '../../storage/records/stored.ts'
import { parameter, refuseOthers } from '../../wire-1x/list-query.ts'
import { withRecordAddresses } from '../../wire-1x/spelling.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRunAlone } from '../http/dry-run.ts'
import { carryOut } from '../http/idempotency.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  idRef,
  inQuery,
  listOf,
  nullable,
  operation,
  refusedOften,
  responseRef,
  schemaRef,
  text,
  uuid,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import { sendOne } from '../http/record-answers.ts'
import { resourceSchema } from '../http/record-parameters.ts'
import { setIdIn, setParameter, verbSchema } from './change-sets.ts'

/** Undoes all changes of one request. */
export function undoRoutes(app: FastifyInstance, installation: Records): void {
  app.post('/changes/:set/undo', takesDryRunAlone, async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    const entries = readQuery(request.url)
    const undoing = { set: setIdIn(request), leave: leaveIn(entries) }
    if (parameter(entries, 'slices') === '1') {
      if (parameter(entries, 'dry_run') !== undefined) throw badQuery('slices', 'does not go with dry_run')
      return sendOne(request, reply, { root: 'undo', json: await someSlices(installation, caller, undoing) })
    }
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
      const { undone, left } = await undoIn(work, undoing)
      const answer: UndoneDocument = {
        set: work.set.id,
        undoes: undoing.set,
        undone: undone.map(doneOf),
        left: left.map(leftOf),
      }
      return { status: 200, headers: {}, json: JSON.stringify(answer) }
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? withRecordAddresses(error) : error
    })
    return sendOne(request, reply, { root: 'undo', json })
  })
}

/** Longer than most undoings take, and shorter than people wait for a sign of progress. */
const secondsOfSlices = 3

/** Undoes as many slices as fit into a few seconds; the same request goes on until nothing is pending. */
async function someSlices(installation: Records, caller: Caller, undoing: UndoRequest): Promise<string> {
  const begun = performance.now()
  const isEnough = () => performance.now() - begun > secondsOfSlices * 1000
  const found = await undoInSlices(installation, { ...undoing, caller, report: () => undefined, isEnough }).catch(
    (error: unknown) => {
      throw error instanceof Refusal ? withRecordAddresses(error) : error
    },
  )
  const answer: UndoProgressDocument = {
    set: found.set,
    undoes: undoing.set,
    state: found.pending > 0 ? 'being undone' : 'undone',
    records: found.records,
    pending: found.pending,
    left: found.left.map(leftOf),
  }
  return JSON.stringify(answer)
}

const which = { type: resourceSchema, id: idRef, uuid: nullable(uuid), name: nullable(text) }

const undoneSchema = {
  ...completeObject({
    set: described('The set of the undoing: undo it to do again what was undone', text),
    undoes: text,
    undone: listOf(completeObject({ ...which, verb: verbSchema })),
    left: listOf(completeObject({ ...which, because: text })),
  }),
  xml: { name: 'undo' },
}

const whole = { type: 'integer', minimum: 0 } as const

const progressSchema = {
  ...completeObject({
    set: nullable(text),
    undoes: text,
    state: { ...text, enum: ['being undone', 'undone'] } as const,
    records: described('Of the whole set', whole),
    pending: described('Records that the next request goes on with', whole),
    left: listOf(completeObject({ ...which, because: text })),
  }),
  xml: { name: 'undo' },
}

type UndoProgressDocument = DocumentOf<typeof progressSchema>
type UndoneDocument = DocumentOf<typeof undoneSchema>

export const undoDescription: DoorDescription = {
  paths: {
    '/changes/{set}/undo': {
      parameters: [setParameter],
      post: operation({
        id: 'undoSet',
        summary: 'Take back all changes of a set, or none of them',
        tag: 'history',
        parameters: [
          inQuery(
            'slices',
            '1 undoes sets of any size in slices beside other writes, some seconds at a time: send it again until nothing is pending',
            {
              type: 'string',
              enum: ['1'],
            },
          ),
          inQuery('leave', 'Keep and name what others use, or have changed since', { type: 'string', enum: ['used'] }),
          ...writeParameters,
        ],
        responses: {
          '200': {
            ...answer('What was done, and what was left', 'both', {
              oneOf: [schemaRef('Undone'), schemaRef('UndoProgress')],
            }),
            headers: writeHeaders,
          },
          '404': responseRef('NotFound'),
          '409': responseRef('Conflict'),
          ...refusedOften,
        },
      }),
    },
  },
  schemas: { Undone: undoneSchema, UndoProgress: progressSchema },
}

function leaveIn(entries: readonly QueryEntry[]): LeaveRule {
  refuseOthers(entries, ['leave', 'dry_run', 'slices'])
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

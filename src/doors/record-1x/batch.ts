import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { mostStays, stayRowsOf } from '../../history/implications.ts'
import { createIn } from '../../records/create.ts'
import { removeIn } from '../../records/remove.ts'
import { noSuchRecord, updateIn } from '../../records/update.ts'
import type { Work } from '../../records/work.ts'
import { Refusal } from '../../refusal.ts'
import { onItsOwn } from '../../storage/savepoint.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { problemOf } from '../http/problem.ts'
import { sendOne } from './answer.ts'
import {
  type Batch,
  batchIn,
  type NamedResult,
  type NamedResults,
  type Operation,
  resultNamed,
  withResults,
} from './batch-operations.ts'
import { carryOut } from './once.ts'
import type { RecordHouse } from './record-house.ts'
import { plainReference } from './spelling.ts'

/** Many changes in one request and one transaction. */
export function batchRoutes(app: FastifyInstance, house: RecordHouse): void {
  app.post('/batch', async (request, reply) => {
    const caller = await callerOf(request, house)
    requireRight(caller, 'write-records')
    const batch = batchIn(readBody(request))
    const base = baseAddressOf(request, house)
    const json = await carryOut(house, { request, reply, caller, beside: 'nobody' }, async (rows) => {
      const results = await carryOutAll({ keeping: house, rows, caller }, batch, base)
      return { status: 200, headers: {}, json: JSON.stringify({ results }) }
    })
    return sendOne(request, reply, { root: 'batch', json })
  })
}

type Result = Readonly<Record<string, unknown>>

async function carryOutAll(work: Work, { atomic, operations }: Batch, base: string): Promise<readonly Result[]> {
  const named = new Map<string, NamedResult>()
  const results: Result[] = []
  let stayRows = 0
  for (const [index, operation] of operations.entries()) {
    // Others want to be answered, too; the transaction can wait a moment.
    if (index % 10 === 9) await nextTurn()
    const attempt = () => carryOutOne(work, operation, named)
    try {
      const { status, id, ...done } = atomic ? await attempt() : await onItsOwn(work.rows, attempt)
      stayRows += done.stayRows
      if (stayRows > mostStays) throw tooManyStays()
      if (operation.as !== undefined) named.set(operation.as, { type: operation.type, id })
      results.push({ status, ...plainReference(base, operation.type, id) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (atomic || stayRows > mostStays) throw asPartOf(index, error)
      results.push({ status: error.status, problem: JSON.parse(problemOf(error, 'json').body) })
    }
  }
  return results
}

interface Done {
  readonly status: number
  readonly id: number
  readonly stayRows: number
}

/** The limit of one log holds for all logs of a batch together: they keep everybody waiting together. */
const tooManyStays = (): Refusal =>
  new Refusal(
    'invalid-content',
    `The logs up to here put assets into more than ${mostStays} places: make smaller batches.`,
  )

async function carryOutOne(work: Work, operation: Operation, named: NamedResults): Promise<Done> {
  const { verb, type } = operation
  const body = withResults(operation.body, named)
  if (verb === 'create') {
    const created = await createIn(work, { type, body })
    return { status: 201, id: created.id, stayRows: stayRowsOf(created) }
  }
  const id = idOf(operation, named)
  if (verb === 'update') return { status: 200, id, stayRows: stayRowsOf(await updateIn(work, { type, id, body })) }
  await removeIn(work, { type, id })
  return { status: 200, id, stayRows: 0 }
}

function idOf({ type, id }: Operation, named: NamedResults): number {
  if (!id.startsWith('$')) return Number(id)
  const result = resultNamed(id, named)
  if (result?.type === type) return result.id
  throw result === undefined
    ? noSuchRecord(type, id)
    : new Refusal('not-found', `${id} is ${result.type} ${result.id}, and no ${type}.`)
}

/** The refusal of one operation, which is that of the whole batch: its faults say where they stand. */
function asPartOf(index: number, { refusal, message, details }: Refusal): Refusal {
  const at = `operations[${index}]`
  const isAboutBody = refusal === 'invalid-content'
  const faults =
    details.faults?.map((fault) => ({ ...fault, field: isAboutBody ? `${at}.body.${fault.field}` : at })) ?? []
  const own = faults.length > 0 ? faults : [{ field: at, message }]
  return new Refusal(refusal, `${at}: ${message} Nothing of the batch was kept.`, { ...details, faults: own })
}

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { isTree } from '../../fields/place.ts'
import { readQuery } from '../../formats/query-string.ts'
import { limits } from '../../limits.ts'
import type { Records } from '../../records/records.ts'
import { uuidTaken } from '../../records/writing/create.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { findChangeSet } from '../../storage/change-set.ts'
import { onItsOwn } from '../../storage/sql/fragment.ts'
import { type Batch, batchIn } from '../../wire-1x/batch-operations.ts'
import { type BatchProgress, carryOutRun, RefusedOperation, runsOf } from '../../wire-1x/batch-runs.ts'
import { refuseAsOf } from '../../wire-1x/list-query.ts'
import { ownUuidIn } from '../../wire-1x/record-draft.ts'
import { plainReference, withRecordAddresses } from '../../wire-1x/spelling.ts'
import { readBody } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import { carryOut, repeated } from '../http/idempotency.ts'
import {
  answer,
  arrayOf,
  completeObject,
  contentOf,
  type DocumentOf,
  type DoorDescription,
  idRef,
  objectOf,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  text,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { problemOf } from '../http/problem-details.ts'
import { sendOne } from '../http/record-answers.ts'

/** Many changes in one request and one transaction. */
export function batchRoutes(app: FastifyInstance, installation: Records): void {
  app.post('/batch', takesDryRun, async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'write-records')
    refuseAsOf(readQuery(request.url))
    const body = readBody(request)
    const set = ownUuidIn(body)
    const own = set === undefined ? batchIn(body) : undefined
    const base = baseAddressOf(request, installation)
    const json = await carryOut(installation, { request, reply, caller, beside: 'nobody', set }, async (work) => {
      const earlier = set === undefined ? undefined : await earlierResults(work, body)
      if (earlier !== undefined) return { status: 200, headers: repeated(work.set.id), json: spelled(base, earlier) }
      const results = await carryOutAll(work, own ?? batchIn(body), installation.settings.baseUrl)
      if (set !== undefined) keepResults(work, body, results)
      return { status: 200, headers: {}, json: spelled(base, results) }
    })
    return sendOne(request, reply, { root: 'batch', json })
  })
}

const recordResources: readonly string[] = recordTypeNames.map((type) => resourceNames[type])

const resultName = `[A-Za-z0-9_-]{1,${limits.resultName}}`

const as: Schema = {
  type: 'string',
  pattern: `^${resultName}$`,
  description: 'A name for what this operation creates',
}

const ifMatchGiven: Schema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  description: 'As the header If-Match: the version or the ETag that the record had when it was read',
}

/** The path of one record, or the name of an earlier result. */
const pathOfOne = (type: string): Schema => ({
  type: 'string',
  pattern: `^/${type}/([1-9][0-9]*|[0-9a-fA-F-]{36}|\\$${resultName})$`,
  examples: [`/${type}/5`, `/${type}/$name`],
})

const creation = (type: string): Schema =>
  objectOf({
    properties: {
      method: { type: 'string', const: 'POST' },
      path: { type: 'string', const: `/${type}` },
      body: schemaRef(`${type}_new`),
      as,
    },
    required: ['method', 'path', 'body'],
  })

const change = (type: string): Schema =>
  objectOf({
    properties: {
      method: { type: 'string', const: 'PUT' },
      path: pathOfOne(type),
      body: schemaRef(`${type}_change`),
      if_match: ifMatchGiven,
    },
    required: ['method', 'path', 'body'],
  })

const removal = (type: string): Schema =>
  objectOf({
    properties: { method: { type: 'string', const: 'DELETE' }, path: pathOfOne(type), if_match: ifMatchGiven },
    required: ['method', 'path'],
  })

const doneStatuses: readonly number[] = [200, 201]

const resultSchema = {
  anyOf: [
    completeObject({
      status: { type: 'integer', enum: doneStatuses },
      uri: text,
      id: idRef,
      resource: { type: 'string', enum: recordResources },
    }),
    completeObject({ status: { type: 'integer', minimum: 400 }, problem: schemaRef('Problem') }),
  ],
} as const

const answerSchema = completeObject({ results: arrayOf(schemaRef<DocumentOf<typeof resultSchema>>('BatchResult')) })

type BatchAnswer = DocumentOf<typeof answerSchema>

export const batchDescription: DoorDescription = {
  paths: {
    '/batch': {
      post: operation({
        id: 'batch',
        summary: 'Carry out many changes in one transaction',
        tag: 'farm',
        parameters: [...writeParameters],
        body: contentOf(
          'both',
          objectOf({
            properties: {
              // No default: generators would send it with every request.
              atomic: {
                type: 'boolean',
                description: 'All or nothing, as where it is left out; or, if false, each as it can',
              },
              uuid: {
                ...schemaRef('Uuid'),
                description: 'The id of its changes; the same batch under the same is carried out once',
              },
              operations: {
                type: 'array',
                items: schemaRef('BatchOperation'),
                minItems: 1,
                maxItems: limits.operations,
              },
            },
            required: ['operations'],
          }),
        ),
        responses: {
          '200': {
            ...answer('The results, in the order of the operations', 'both', answerSchema),
            headers: writeHeaders,
          },
          '409': responseRef('UuidTaken'),
          '422': responseRef('Invalid'),
          ...refusedOften,
        },
      }),
    },
  },
  schemas: {
    ResultName: {
      type: 'string',
      pattern: `^\\$${resultName}$`,
      description: 'In a batch only: what an earlier operation has created under this name, after a $',
    },
    ...Object.fromEntries(
      recordResources.flatMap((type) => [
        [`batch_create_${type}`, creation(type)],
        [`batch_change_${type}`, change(type)],
        [`batch_remove_${type}`, removal(type)],
      ]),
    ),
    BatchOperation: {
      anyOf: ['create', 'change', 'remove'].flatMap((verb) =>
        recordResources.map((type) => schemaRef(`batch_${verb}_${type}`)),
      ),
    },
    BatchResult: resultSchema,
  },
}

function spelled(base: string, results: readonly Result[]): string {
  const answer: BatchAnswer = {
    results: results.map((result) => {
      if ('problem' in result) return result
      return { status: result.status, ...plainReference(base, result.type, result.id) }
    }),
  }
  return JSON.stringify(answer)
}

/** File addresses use the farm's base URL, if it has one. */
async function carryOutAll(work: WriteContext, batch: Batch, address: string | null): Promise<readonly Result[]> {
  const progress: BatchProgress = { named: new Map(), address, stayRows: 0 }
  const results: Result[] = []
  let lastTurn = 0
  for (const run of runsOf(batch)) {
    // Lets other requests run; the transaction waits.
    if (results.length >= lastTurn + 10) {
      await nextTurn()
      lastTurn = results.length
    }
    const attempt = () => carryOutRun(work, run, progress)
    try {
      const done = batch.atomic ? await attempt() : await onItsOwn(work.tx, attempt)
      for (const [index, { status, type, id }] of done.entries()) {
        const as = run[index]?.as
        if (as !== undefined) progress.named.set(as, { type, id })
        results.push({ status, type, id })
      }
    } catch (error) {
      if (!(error instanceof RefusedOperation)) throw error
      if (batch.atomic || error.endsAll) throw asPartOf(results.length + error.index, error)
      results.push({ status: error.status, problem: JSON.parse(problemOf(withRecordAddresses(error), 'json').body) })
    }
  }
  return results
}

/** The refusal of one operation refuses the batch; its faults get the path of the operation. */
function asPartOf(index: number, { refusal, message, details }: Refusal): Refusal {
  const at = `operations[${index}]`
  const isAboutBody = refusal === 'invalid-content'
  const faults =
    details.faults?.map((fault) => ({ ...fault, field: isAboutBody ? `${at}.body.${fault.field}` : at })) ?? []
  const own = faults.length > 0 ? faults : [{ field: at, message }]
  return new Refusal(refusal, `${at}: ${message} Nothing of the batch was kept.`, { ...details, faults: own })
}

/** The result of one operation: its record, or its refusal. */
type Result =
  | { readonly status: number; readonly type: RecordTypeName; readonly id: number }
  | { readonly status: number; readonly problem: unknown }

/** The stored result of a batch with a UUID. */
interface KeptBatch {
  readonly sent: string
  readonly results: readonly Result[]
}

/** The results of an earlier batch with the same UUID; refused if its content differs. */
async function earlierResults(work: WriteContext, body: unknown): Promise<readonly Result[] | undefined> {
  const { tx, caller, set } = work
  const found = await findChangeSet(tx, set.id)
  if (found === undefined) return undefined
  if (found.uid !== caller.uid) throw uuidTaken('stands for changes that another account has made; take a new one')
  const kept: KeptBatch | null = JSON.parse(found.results ?? 'null')
  if (kept?.sent === fingerprintOf(body)) return kept.results.map(asItReadsNow)
  throw uuidTaken('stands for other changes that you have sent; take a new one for this batch')
}

/** A repeated batch creates nothing, so 201 becomes 200. */
const asItReadsNow = (result: Result): Result => ('problem' in result ? result : { ...result, status: 200 })

/** Stored with the changes, so that a repeated batch is recognised at any time. */
function keepResults({ set }: WriteContext, body: unknown, results: readonly Result[]): void {
  const kept: KeptBatch = { sent: fingerprintOf(body), results }
  set.results = JSON.stringify(kept)
}

/** Independent of the order of members, and of JSON or XML, which has no numbers. Leaves out the UUID. */
function fingerprintOf(body: unknown): string {
  const sent = isTree(body) ? { ...body, uuid: null } : body
  return createHash('sha256')
    .update(JSON.stringify(plain(sent)))
    .digest('base64url')
}

function plain(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(plain)
  if (!isTree(tree)) return String(tree)
  const names = Object.keys(tree).filter((name) => tree[name] !== null)
  return names.toSorted().map((name) => [name, plain(tree[name])])
}

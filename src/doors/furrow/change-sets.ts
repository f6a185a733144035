import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight, trashViewOf } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { type SetView, type SetWithEntries, setsAmong, setWithEntries } from '../../records/past/change-sets.ts'
import type { Records } from '../../records/records.ts'
import { knownAs, type SetRecord } from '../../records/undoing/set-records.ts'
import type { UndoStep } from '../../records/undoing/steps.ts'
import { type LeaveRule, undoIn } from '../../records/undoing/undo.ts'
import type { SkippedRecord } from '../../records/undoing/undo-plan.ts'
import { Refusal } from '../../refusal.ts'
import { nameOf } from '../../storage/records/stored.ts'
import { anyNumber, numberAsked, parameter, refuseOthers } from '../../wire-1x/paging.ts'
import { whoOf } from '../../wire-1x/record-history.ts'
import { withRecordAddresses } from '../../wire-1x/spelling.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRunAlone } from '../http/dry-run.ts'
import { carryOut } from '../http/idempotency.ts'
import { sendOne } from '../http/record-answers.ts'
import { sendJson } from './answers.ts'

/** How many sets a page has, and how many entries of one. */
export const setsPerPage = { usual: 50, most: 100 } as const
export const entriesPerPage = { usual: 100, most: 1000 } as const

/** Which changes were made together, by whom and when. */
export function setRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/sets.json', async (request, reply) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const asked = setsAsked(request)
    const { sets, next } = await installation.database.read(
      (snapshot) => setsAmong(snapshot, asked),
      readBudgetOf(request, installation),
    )
    return sendJson(request, reply, { sets: sets.map(setOf), next })
  })
  app.get('/sets/:set', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'read-records')
    const entries = readQuery(request.url)
    refuseOthers(entries, ['limit', 'after'])
    const limit = numberAsked(entries, 'limit', { least: 1, most: entriesPerPage.most }) ?? entriesPerPage.usual
    const after = numberAsked(entries, 'after', anyNumber) ?? 0
    const asked = { id: setIdIn(request), limit, after, trash: trashViewOf(caller) }
    const set = await installation.database.read(
      (snapshot) => setWithEntries(snapshot, asked),
      readBudgetOf(request, installation),
    )
    return sendJson(request, reply, { ...setOf(set), entries: set.entries.map(entryOf), next: set.next })
  })
}

/** The id in a path such as `/sets/5.json` or `/changes/5/undo`. */
function setIdIn(request: FastifyRequest): string {
  // Every route that asks this has a `:set`.
  const { set } = request.params as { readonly set: string }
  return set.replace(/\.json$/, '').toLowerCase()
}

function setsAsked(request: FastifyRequest) {
  const entries = readQuery(request.url)
  refuseOthers(entries, ['uid', 'from', 'to', 'limit', 'before'])
  const [uid, from, to] = ['uid', 'from', 'to'].map((name) => numberAsked(entries, name, anyNumber))
  const before = parameter(entries, 'before')
  return {
    limit: numberAsked(entries, 'limit', { least: 1, most: setsPerPage.most }) ?? setsPerPage.usual,
    ...(uid === undefined ? {} : { uid }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(before === undefined ? {} : { before }),
  }
}

const setOf = ({ id, who, at, client, request, counts, undoes, undone_by }: SetView) => ({
  id,
  who: whoOf(who),
  at: String(at),
  client,
  request,
  counts: Object.fromEntries(
    // The counts have only names of record types.
    Object.entries(counts).map(([type, verbs]) => [resourceNames[type as RecordTypeName], verbs]),
  ),
  undoes,
  undone_by,
})

const entryOf = ({ type, id, uuid, name, verb, revision }: SetWithEntries['entries'][number]) => ({
  type: resourceNames[type],
  id: String(id),
  uuid,
  name,
  verb,
  revision,
})

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
      throw error instanceof Refusal ? withRecordAddresses(error) : error
    })
    return sendOne(request, reply, { root: 'undo', json })
  })
}

function leaveIn(entries: readonly QueryEntry[]): LeaveRule {
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

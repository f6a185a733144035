import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight, trashViewOf } from '../../../access/caller.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { type OneSet, type SetView, setsAmong, setWithEntries } from '../../../records/past/change-sets.ts'
import type { Records } from '../../../records/records.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import { anyNumber, numberAsked, parameter } from '../intake/paging.ts'
import { refuseOthers } from './asked.ts'
import { sendJson } from './json-answer.ts'
import { whoOf } from './who.ts'

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
export function setIdIn(request: FastifyRequest): string {
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

const entryOf = ({ type, id, uuid, name, verb, revision }: OneSet['entries'][number]) => ({
  type: resourceNames[type],
  id: String(id),
  uuid,
  name,
  verb,
  revision,
})

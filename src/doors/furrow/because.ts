import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight, trashViewOf } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { hasComputed, recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import { type ExplainedValue, explain } from '../../records/because.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { isPresent } from '../../storage/history/point-in-time.ts'
import { termNames } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { queriedTime } from '../../wire-1x/list-query.ts'
import { linksOf, pagingIn, refuseOthers } from '../../wire-1x/paging.ts'
import type { WireDocument } from '../../wire-1x/record-template.ts'
import { plainReference, referenceTo, spellField } from '../../wire-1x/spelling.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { sendOne } from '../http/record-answers.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'

/** Why the computed values of an asset or an area are what they are. */
export function becauseRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames.filter((name) => hasComputed(installation.farm.records[name]))) {
    for (const extension of ['', '.json', '.xml'])
      app.get(`/${resourceNames[type]}/:id/because${extension}`, (request, reply) =>
        answer(installation, type, { request, reply }),
      )
  }
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function answer(
  installation: Records,
  type: RecordTypeName,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const { farm } = installation
  requireRecordId(request)
  const entries = readQuery(request.url)
  refuseOthers(entries, ['as_of', 'page', 'limit'])
  const time = queriedTime(farm.records[type], entries, installation.clock())
  const paging = pagingIn(entries)
  const base = baseAddressOf(request, installation)
  const trash = trashViewOf(caller)
  const document = await installation.database.read(
    async (snapshot) => {
      requireEdition(installation, await readEdition(snapshot))
      const id = await recordIdAt(request, type, snapshot)
      const { values, assets, lastPage } = await explain(snapshot, { farm, type, id, time, paging, trash })
      const spell = await spellerOf(snapshot, base, [...values, ...assets])
      return {
        ...linksOf(request, base, { ...paging, last: lastPage }),
        record: plainReference(base, type, id),
        as_of: isPresent(time) ? null : String(time.second),
        values: values.map(spell),
        list: assets.map((one) => ({ asset: plainReference(base, 'asset', one.id), ...spell(one) })),
      }
    },
    readBudgetOf(request, installation),
  )
  return sendOne(request, reply, { root: 'because', json: JSON.stringify(document) })
}

type Spell = (explained: ExplainedValue) => WireDocument

/** Spells values as the records do, with the names of terms and people, which are looked up once. */
async function spellerOf(snapshot: Snapshot, base: string, all: readonly ExplainedValue[]): Promise<Spell> {
  const terms = await termNames(snapshot, [...new Set(all.flatMap(termsIn))])
  const logs = all.flatMap(({ decidedBy, others }) => [...decidedBy, ...others.map(({ log }) => log)])
  const people = await accountsByIds(snapshot, [...new Set(logs.map(({ uid }) => uid))])
  const speller = { base, nameOf: (term: number) => terms.get(term) ?? '', textOfFile: () => '' }
  const spellLog = (log: StoredRecord): WireDocument => ({
    ...referenceTo(speller, 'log', log.id),
    uuid: log.uuid,
    name: log.values.name,
    timestamp: String(log.values.timestamp),
    who: { uid: String(log.uid), name: people.get(log.uid)?.name ?? null },
  })
  return ({ name, field, value, decidedBy, more, sentence, others }) => ({
    field: name,
    value: spellField(field, value, speller),
    sentence,
    decided_by: decidedBy.map(spellLog),
    more,
    others: others.map(({ log, code, sentence: why }) => ({ log: spellLog(log), code, sentence: why })),
  })
}

const termsIn = ({ field, value }: ExplainedValue): readonly number[] =>
  field.kind === 'reference' && field.to === 'term' ? ((value ?? []) as readonly number[]) : []

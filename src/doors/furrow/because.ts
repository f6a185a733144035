import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight, trashViewOf } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { hasComputed, recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import { codesAgainst } from '../../history/because/sentences.ts'
import { type ExplainedValue, explain } from '../../records/because.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { isPresent, readEdition, requireEdition } from '../../storage/farm-state.ts'
import { termNames } from '../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { linksOf, pagingIn, queriedTime, refuseOthers } from '../../wire-1x/list-query.ts'
import { plainReference, referenceTo, spellField, type WireReference } from '../../wire-1x/spelling.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  idRef,
  ifNoneMatch,
  listOf,
  nullable,
  objectOf,
  operation,
  type Paths,
  type PathVariant,
  parameterRef,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  secondsRef,
  text,
  unchanged,
  uuid,
  webAddress,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { sendOne } from '../http/record-answers.ts'
import { idParameter } from '../http/record-parameters.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'

/** Explains the computed values of an asset or an area. */
export function becauseRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames.filter((name) => hasComputed(installation.farm.records[name]))) {
    for (const extension of ['', '.json', '.xml'])
      app.get(`/${resourceNames[type]}/:id/because${extension}`, (request, reply) =>
        explainRecord(installation, type, { request, reply }),
      )
  }
}

const operationFor = (id: string, one: string, { formats, word }: PathVariant): Schema =>
  operation({
    id: `explain${id}${word}`,
    summary: `Why ${one} is where it is: which logs decide, and why others do not`,
    tag: 'past',
    parameters: [parameterRef('as_of'), parameterRef('page'), parameterRef('limit'), ifNoneMatch],
    responses: {
      '200': answer('The computed values, and why', formats, schemaRef('Because')),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })

function becausePaths(): Paths {
  const paths: Paths = {}
  for (const spelling of pathVariants) {
    const address = `/{id}/because${spelling.extension}`
    const parameters = [idParameter]
    paths[`/${resourceNames.asset}${address}`] = { parameters, get: operationFor('Asset', 'an asset', spelling) }
    paths[`/${resourceNames.term}${address}`] = {
      parameters,
      get: operationFor('Area', 'what is in an area', spelling),
    }
  }
  return paths
}

const logSchema = completeObject({
  uri: webAddress,
  id: idRef,
  resource: { type: 'string', const: resourceNames.log },
  uuid,
  name: text,
  timestamp: secondsRef,
  who: completeObject({ uid: text, name: nullable(text) }),
})

type BecauseLog = DocumentOf<typeof logSchema>

const logRef = schemaRef<BecauseLog>('BecauseLog')
const referenceRef = schemaRef<WireReference>('Reference')

const link = { type: 'string', description: 'An address that repeats the query as it was asked' } as const

const explained = {
  field: { type: 'string', description: 'The name of a computed field' },
  value: {
    description: 'As the record shows it',
    anyOf: [{ type: 'array', items: referenceRef }, { type: 'string' }, { type: 'null' }],
  },
  sentence: { type: 'string', description: 'Why, for people' },
  decided_by: listOf(logRef),
  more: { type: 'integer', minimum: 0, description: 'How many more logs decided together with these' },
  others: listOf(
    completeObject({
      log: logRef,
      code: { type: 'string', enum: codesAgainst },
      sentence: { type: 'string', description: 'Why it did not decide, for people' },
    }),
  ),
} as const

const valueSchema = completeObject(explained)

type ExplainedDocument = DocumentOf<typeof valueSchema>

const becauseSchema = objectOf({
  properties: {
    self: link,
    first: link,
    last: link,
    prev: link,
    next: link,
    record: referenceRef,
    as_of: nullable(secondsRef),
    values: listOf(valueSchema),
    list: described(
      'Of an area or a group: each asset of the page',
      listOf(completeObject({ asset: referenceRef, ...explained })),
    ),
  },
  required: ['self', 'first', 'last', 'record', 'as_of', 'values', 'list'],
})

type BecauseDocument = DocumentOf<typeof becauseSchema>

export const becauseDescription: DoorDescription = {
  paths: becausePaths(),
  schemas: { Because: becauseSchema, BecauseLog: logSchema },
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function explainRecord(
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
    async (snapshot): Promise<BecauseDocument> => {
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

type Spell = (explained: ExplainedValue) => ExplainedDocument

/** Spells values as records do. Names of terms and people are looked up once. */
async function spellerOf(snapshot: Snapshot, base: string, all: readonly ExplainedValue[]): Promise<Spell> {
  const terms = await termNames(snapshot, [...new Set(all.flatMap(termsIn))])
  const logs = all.flatMap(({ decidedBy, others }) => [...decidedBy, ...others.map(({ log }) => log)])
  const people = await accountsByIds(snapshot, [...new Set(logs.map(({ uid }) => uid))])
  const speller = { base, nameOf: (term: number) => terms.get(term) ?? '', textOfFile: () => '' }
  const spellLog = (log: StoredRecord): BecauseLog => ({
    ...referenceTo(speller, 'log', log.id),
    uuid: log.uuid,
    name: nameOf(log) ?? '',
    timestamp: String(log.values.timestamp),
    who: { uid: String(log.uid), name: people.get(log.uid)?.name ?? null },
  })
  return ({ name, field, value, decidedBy, more, sentence, others }) => ({
    field: name,
    // The cast is safe: a computed value is a list of references, a text, or nothing.
    value: spellField(field, value, speller) as ExplainedDocument['value'],
    sentence,
    decided_by: decidedBy.map(spellLog),
    more,
    others: others.map(({ log, code, sentence: why }) => ({ log: spellLog(log), code, sentence: why })),
  })
}

const termsIn = ({ field, value }: ExplainedValue): readonly number[] =>
  field.kind === 'reference' && field.to === 'term' ? ((value ?? []) as readonly number[]) : []

import type { TrashView } from '../access/caller.ts'
import type { Farm, RecordTypeName } from '../farm/farm.ts'
import { allFieldsOf, fieldsOfBundle } from '../farm/fields-of.ts'
import type { ComputedRule, Field } from '../fields/field.ts'
import type { Value } from '../fields/value.ts'
import { type Reasons, reasonsOf } from '../history/because/reasons.ts'
import { becauseSentence, type Topic } from '../history/because/sentences.ts'
import { computedRules } from '../history/computed-rules.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { lastPageOf, type PageRequest } from './finding/paging.ts'
import { computedOf } from './record-index.ts'
import { noSuchRecord } from './writing/update.ts'

/** One computed value of one record, and why it is so. */
export interface ExplainedValue extends Reasons {
  readonly id: number
  readonly name: string
  readonly field: Field
  readonly value: Value | undefined
  readonly sentence: string
}

interface Explanation {
  readonly values: readonly ExplainedValue[]
  /** For a place: the explanation of each asset on the page. */
  readonly assets: readonly ExplainedValue[]
  readonly lastPage: number
}

interface ExplanationQuery {
  readonly farm: Farm
  readonly type: RecordTypeName
  readonly id: number
  readonly time: PointInTime
  readonly paging: PageRequest
  readonly trash: TrashView
}

/** Explains the computed values of a record at that time. */
export async function explain(snapshot: Snapshot, explaining: ExplanationQuery): Promise<Explanation> {
  const { farm, type, id, time, paging, trash } = explaining
  const record = (await recordsByIds(snapshot, type, [id])).get(id)
  if (record === undefined) throw noSuchRecord(type, id)
  const names = computedIn(farm, record)
  if (names.length === 0)
    throw new Refusal('not-found', `Nothing of the ${type} ${id} follows from logs: ask for an asset or an area.`)
  const values = await explained(snapshot, [record], { farm, names, time, trash })
  const inside = values.find(({ field }) => rulesOfAssets[field.computed ?? ''] !== undefined)
  const all = idsIn(inside?.value)
  const lastPage = lastPageOf(all.length, paging)
  if (inside === undefined || all.length === 0) return { values, assets: [], lastPage }
  const page = all.slice(paging.page * paging.limit, (paging.page + 1) * paging.limit)
  const assets = await recordsByIds(snapshot, 'asset', page)
  const name = assetFieldBy(farm, rulesOfAssets[inside.field.computed ?? ''])
  const inOrder = page.flatMap((asset) => assets.get(asset) ?? [])
  return { values, assets: await explained(snapshot, inOrder, { farm, names: [name], time, trash }), lastPage }
}

const computedIn = (farm: Farm, { type, bundle }: StoredRecord): readonly string[] =>
  Object.entries(fieldsOfBundle(farm.records[type], bundle)).flatMap(([name, { computed }]) =>
    computed === undefined || computedRules[computed].decided === undefined ? [] : [name],
  )

/** The rules that turn others round: each asset that is there has a reason of its own. */
const rulesOfAssets: Readonly<Record<string, ComputedRule | undefined>> = Object.fromEntries(
  Object.entries(computedRules).flatMap(([rule, { decided }]) =>
    decided?.by === 'each asset' ? [[rule, decided.rule]] : [],
  ),
)

/** The catalogue has one field of assets for each of these rules. */
const assetFieldBy = (farm: Farm, rule: ComputedRule | undefined): string =>
  [...allFieldsOf(farm.records.asset)].find(([, { field }]) => field.computed === rule)?.[0] ?? ''

interface FieldQuery {
  readonly farm: Farm
  readonly names: readonly string[]
  readonly time: PointInTime
  readonly trash: TrashView
}

/** The fields of these records, and why: every topic is looked up once for all of them. */
async function explained(
  snapshot: Snapshot,
  records: readonly StoredRecord[],
  { farm, names, time, trash }: FieldQuery,
): Promise<readonly ExplainedValue[]> {
  const computed = await computedOf(snapshot, records, { farm, time, asked: names })
  const ids = records.map(({ id }) => id)
  const known = new Map<Topic, ReadonlyMap<number, Reasons>>()
  const explanations: ExplainedValue[] = []
  for (const record of records) {
    const fields = fieldsOfBundle(farm.records[record.type], record.bundle)
    for (const name of names) {
      const field = fields[name]
      if (field?.computed === undefined) continue
      const { decided } = computedRules[field.computed]
      if (decided === undefined) continue
      if (decided.by !== 'each asset' && !known.has(decided.topic))
        known.set(decided.topic, await reasonsOf(snapshot, ids, { topic: decided.topic, time, trash }))
      const reasons = decided.by === 'each asset' ? undefined : known.get(decided.topic)?.get(record.id)
      const value = computed.get(record.id)?.[name]
      const decision = { value, ...(reasons ?? noReasons) }
      explanations.push({
        id: record.id,
        name,
        field,
        ...decision,
        sentence: becauseSentence[field.computed](decision),
      })
    }
  }
  return explanations
}

const noReasons: Reasons = { decidedBy: [], more: 0, others: [] }

const idsIn = (value: Value | undefined): readonly number[] => (value as readonly number[] | undefined) ?? []

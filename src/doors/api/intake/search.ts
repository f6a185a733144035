import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { areaVocabulary } from '../../../farm/newer/type-of-record.ts'
import type { Condition } from '../../../storage/records/condition.ts'
import { idsOfSlice } from '../../../storage/records/finding.ts'
import type { PageAsked } from '../query/page.ts'
import type { Parameters } from '../query/parameters.ts'
import type { ReadContext } from '../wire/implied.ts'
import { conditionsOf } from './conditions.ts'
import { kindCondition } from './kind-condition.ts'
import { orderOf } from './order.ts'

interface Asked {
  readonly parameters: Parameters
  readonly page: PageAsked
}

export interface Found {
  readonly ids: readonly number[]
  readonly hasMore: boolean
}

/** The records of a type that a query asks for, one page of them. One more than that is looked for, to tell whether there are more. */
export async function searchIn(reading: ReadContext, type: ResourceType, { parameters, page }: Asked): Promise<Found> {
  const conditions = [...ofType(reading, type), ...(await conditionsOf(reading, type, parameters))]
  const order = orderOf(reading, type, parameters)
  const slice = { offset: page.offset, limit: page.limit + 1 }
  const ids = await idsOfSlice(reading.snapshot, { type: type.record, conditions, order }, slice)
  return { ids: ids.slice(0, page.limit), hasMore: ids.length > page.limit }
}

function ofType({ installation }: ReadContext, { bundles, kind }: ResourceType): readonly Condition[] {
  const bundle: Condition = { on: 'column', column: 'bundle', test: { operator: 'eq', values: bundles } }
  const isOfAreas = bundles.includes(areaVocabulary(installation.farm)[0])
  return kind === undefined || !isOfAreas ? [bundle] : [bundle, kindCondition(installation.farm, kind)]
}

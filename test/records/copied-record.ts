import { randomUUID } from 'node:crypto'
import type { FarmUnderTest } from '../harness/farm.ts'

export interface Copying {
  readonly type: 'log' | 'term'
  readonly id: string
  readonly times: number
}

/** Puts copies of a record into the tables beside it; to send many large ones takes longer than what is tested with them. */
export function copyRecord(farm: FarmUnderTest, { type, id, times }: Copying): Promise<number[]> {
  return farm.installation.database.write(async (tx) => {
    const original = await tx.selectFrom(type).selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
    const { id: _, ...row } = original
    const facets = await tx
      .selectFrom('facet')
      .innerJoin('path', 'path.id', 'facet.path')
      .selectAll('facet')
      .where('source_type', '=', type)
      .where('record_id', '=', Number(id))
      .execute()
    const ids: number[] = []
    for (let copy = 0; copy < times; copy += 1) {
      const values = { ...row, uuid: randomUUID() }
      const made = await tx.insertInto(type).values(values).returning('id').executeTakeFirstOrThrow()
      ids.push(made.id)
      if (facets.length === 0) continue
      const copies = facets.map((facet) => ({ ...facet, record_id: made.id }))
      await tx.insertInto('facet').values(copies).execute()
    }
    return ids
  })
}

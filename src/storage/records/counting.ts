import type { Reading } from '../database.ts'

/** How many assets of each type are not archived, and how many areas there are. */
export async function countRecords(
  rows: Reading,
): Promise<{ readonly assets: ReadonlyMap<string, number>; readonly areas: number }> {
  const assets = await rows
    .selectFrom('asset')
    .select((select) => ['bundle', select.fn.countAll<number>().as('count')])
    .where('archived', '=', 0)
    .groupBy('bundle')
    .execute()
  const { count } = await rows
    .selectFrom('term')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('bundle', '=', 'farm_areas')
    .executeTakeFirstOrThrow()
  return { assets: new Map(assets.map((row) => [row.bundle, row.count])), areas: count }
}

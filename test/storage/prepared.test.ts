import { beforeAll, describe, expect, test } from 'vitest'
import type { Database, Writing } from '../../src/storage/database.ts'
import { ask, fragment, joined, listed, named } from '../../src/storage/fragment.ts'
import { prepared, preparedChange, preparedFirst } from '../../src/storage/prepared.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'

interface Claim {
  readonly vocabulary: string
  readonly key: string
}

const addClaim = preparedChange((rows, { vocabulary, key }: Claim) =>
  rows.insertInto('term_claim').values({ vocabulary, name_key: key }),
)

const keysOf = prepared(
  (rows, { vocabulary, keys }: { readonly vocabulary: string; readonly keys?: readonly string[] }) => {
    const all = rows
      .selectFrom('term_claim')
      .select('name_key')
      .where('vocabulary', '=', vocabulary)
      .orderBy('name_key')
    return keys === undefined ? all : all.where('name_key', 'in', keys)
  },
)

const removeClaims = preparedChange((rows, { vocabulary }: Pick<Claim, 'vocabulary'>) =>
  rows.deleteFrom('term_claim').where('vocabulary', '=', vocabulary),
)

const lastMigration = preparedFirst((rows) => rows.selectFrom('migration').select('version').orderBy('version', 'desc'))

const addFacet = preparedFirst((rows: Writing, facet: { readonly key: string; readonly whole_key: string | null }) =>
  rows
    .insertInto('facet')
    .values({ record_id: 1, path: 1, nth: 0, ...facet })
    .returning('whole_key'),
)

const addChunk = preparedFirst((rows: Writing, { bytes }: { readonly bytes: Uint8Array }) =>
  rows.insertInto('blob_chunk').values({ sha256: 'x', position: 0, bytes }).returning('bytes'),
)

describe.each(engines)('the two ways to SQL on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })

  test('a prepared change says how many rows it touched', async () => {
    const touched = await database.write(async (rows) => {
      for (const key of ['a', 'b']) await addClaim(rows, { vocabulary: 'changed', key })
      return [await removeClaims(rows, { vocabulary: 'changed' }), await removeClaims(rows, { vocabulary: 'changed' })]
    })
    expect(touched).toEqual([2, 0])
  })

  test('a parameter that is left out makes another query', async () => {
    const found = await database.write(async (rows) => {
      for (const key of ['a', 'b', 'c']) await addClaim(rows, { vocabulary: 'shapes', key })
      const keys = [...(await keysOf(rows, { vocabulary: 'shapes', keys: ['a', 'c'] }))]
      return [keys.length, (await keysOf(rows, { vocabulary: 'shapes' })).length]
    })
    expect(found).toEqual([2, 3])
  })

  test('a list may be longer than any that is kept ready', async () => {
    const keys = Array.from({ length: 2345 }, (_, index) => `key ${index}`)
    const found = await database.write(async (rows) => {
      for (const key of ['key 0', 'key 2344', 'key 2345']) await addClaim(rows, { vocabulary: 'long', key })
      return keysOf(rows, { vocabulary: 'long', keys })
    })
    expect(found.map((row) => row.name_key)).toEqual(['key 0', 'key 2344'])
  })

  test('nothing, null and bytes may be given', async () => {
    expect(await database.read((rows) => lastMigration(rows))).toHaveProperty('version')
    const bytes = Uint8Array.from([0, 1, 255])
    const { without, whole, chunk } = await database.write(async (rows) => ({
      without: await addFacet(rows, { key: 'a', whole_key: null }),
      whole: await addFacet(rows, { key: 'b', whole_key: 'whole' }),
      chunk: await addChunk(rows, { bytes }),
    }))
    expect([without?.whole_key, whole?.whole_key]).toEqual([null, 'whole'])
    expect(Buffer.from(chunk?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('a fragment takes lists, names and other fragments, and a question mark in a value stays one', async () => {
    const claims = [fragment`(${listed(['asked', 'why?'])})`, fragment`(${listed(['asked', '"quoted"'])})`]
    const found = await database.write(async (rows) => {
      await ask(
        rows,
        fragment`insert into ${named('term_claim')} (vocabulary, name_key) values ${joined(claims, ', ')}`,
      )
      return ask<{ name_key: string }>(
        rows,
        fragment`select name_key from term_claim where ${named('term_claim.vocabulary')} = ${'asked'} order by name_key`,
      )
    })
    expect(found.map((row) => row.name_key)).toEqual(['"quoted"', 'why?'])
  })
})

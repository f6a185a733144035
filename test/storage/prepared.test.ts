import { beforeAll, describe, expect, test } from 'vitest'
import type { Database, Transaction } from '../../src/storage/database.ts'
import { ask, fragment, joined, listed, named } from '../../src/storage/sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from '../../src/storage/sql/prepared.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'

interface Claim {
  readonly vocabulary: string
  readonly key: string
}

const addClaim = preparedChange((tx, { vocabulary, key }: Claim) =>
  tx.insertInto('term_claim').values({ vocabulary, name_key: key }),
)

const keysOf = prepared(
  (snapshot, { vocabulary, keys }: { readonly vocabulary: string; readonly keys?: readonly string[] }) => {
    const all = snapshot
      .selectFrom('term_claim')
      .select('name_key')
      .where('vocabulary', '=', vocabulary)
      .orderBy('name_key')
    return keys === undefined ? all : all.where('name_key', 'in', keys)
  },
)

const removeClaims = preparedChange((tx, { vocabulary }: Pick<Claim, 'vocabulary'>) =>
  tx.deleteFrom('term_claim').where('vocabulary', '=', vocabulary),
)

const lastMigration = preparedFirst((snapshot) =>
  snapshot.selectFrom('migration').select('version').orderBy('version', 'desc'),
)

const addFacet = preparedFirst((tx: Transaction, facet: { readonly key: string; readonly whole_key: string | null }) =>
  tx
    .insertInto('facet')
    .values({ record_id: 1, path: 1, nth: 0, ...facet })
    .returning('whole_key'),
)

const addChunk = preparedFirst((tx: Transaction, { bytes }: { readonly bytes: Uint8Array }) =>
  tx.insertInto('blob_chunk').values({ sha256: 'x', position: 0, bytes }).returning('bytes'),
)

describe.each(engines)('the two ways to SQL on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })

  test('a prepared change says how many rows it touched', async () => {
    const touched = await database.write(async (tx) => {
      for (const key of ['a', 'b']) await addClaim(tx, { vocabulary: 'changed', key })
      return [await removeClaims(tx, { vocabulary: 'changed' }), await removeClaims(tx, { vocabulary: 'changed' })]
    })
    expect(touched).toEqual([2, 0])
  })

  test('a parameter that is left out makes another query', async () => {
    const found = await database.write(async (tx) => {
      for (const key of ['a', 'b', 'c']) await addClaim(tx, { vocabulary: 'shapes', key })
      const keys = [...(await keysOf(tx, { vocabulary: 'shapes', keys: ['a', 'c'] }))]
      return [keys.length, (await keysOf(tx, { vocabulary: 'shapes' })).length]
    })
    expect(found).toEqual([2, 3])
  })

  test('a list may be longer than any that is kept ready', async () => {
    const keys = Array.from({ length: 2345 }, (_, index) => `key ${index}`)
    const found = await database.write(async (tx) => {
      for (const key of ['key 0', 'key 2344', 'key 2345']) await addClaim(tx, { vocabulary: 'long', key })
      return keysOf(tx, { vocabulary: 'long', keys })
    })
    expect(found.map((row) => row.name_key)).toEqual(['key 0', 'key 2344'])
  })

  test('nothing, null and bytes may be given', async () => {
    expect(await database.read((snapshot) => lastMigration(snapshot))).toHaveProperty('version')
    const bytes = Uint8Array.from([0, 1, 255])
    const { without, whole, chunk } = await database.write(async (tx) => ({
      without: await addFacet(tx, { key: 'a', whole_key: null }),
      whole: await addFacet(tx, { key: 'b', whole_key: 'whole' }),
      chunk: await addChunk(tx, { bytes }),
    }))
    expect([without?.whole_key, whole?.whole_key]).toEqual([null, 'whole'])
    expect(Buffer.from(chunk?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('a fragment takes lists, names and other fragments, and a question mark in a value stays one', async () => {
    const claims = [fragment`(${listed(['asked', 'why?'])})`, fragment`(${listed(['asked', '"quoted"'])})`]
    const found = await database.write(async (tx) => {
      await ask(tx, fragment`insert into ${named('term_claim')} (vocabulary, name_key) values ${joined(claims, ', ')}`)
      return ask<{ name_key: string }>(
        tx,
        fragment`select name_key from term_claim where ${named('term_claim.vocabulary')} = ${'asked'} order by name_key`,
      )
    })
    expect(found.map((row) => row.name_key)).toEqual(['"quoted"', 'why?'])
  })
})

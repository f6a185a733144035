import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database, Snapshot, Transaction } from '../../src/storage/database.ts'
import { isUniqueViolation } from '../../src/storage/sql/errors.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'

describe.each(engines)('transactions on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })

  const put = (name: string, value = '') =>
    database.write((tx) => tx.insertInto('setting').values({ name, value }).execute())

  const namesLike = (pattern: string) =>
    database.read(async (snapshot) => {
      const found = await snapshot
        .selectFrom('setting')
        .select('name')
        .where('name', 'like', pattern)
        .orderBy('name')
        .execute()
      return found.map((row) => row.name)
    })

  test('a write gives back what its work gave, and is there for the next read', async () => {
    const answer = await database.write(async (tx) => {
      await tx.insertInto('setting').values({ name: 'farm', value: 'Oak Hill' }).execute()
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await namesLike('farm')).toEqual(['farm'])
  })

  test('a rejected write leaves nothing behind and rejects with its own error', async () => {
    const trouble = new Error('changed my mind')
    const write = database.write(async (tx) => {
      await tx.insertInto('setting').values({ name: 'half', value: '' }).execute()
      throw trouble
    })
    await expect(write).rejects.toBe(trouble)
    expect(await namesLike('half')).toEqual([])
  })

  test('a dry run sees what it does, gives back what its work gave, and nobody else ever sees anything of it', async () => {
    await put('before a dry run')
    const version = database.version?.()
    const seen = await database.dryRun(async (tx) => {
      await tx.insertInto('setting').values({ name: 'dry', value: '' }).execute()
      await tx.deleteFrom('setting').where('name', '=', 'before a dry run').execute()
      return (await tx.selectFrom('setting').select('name').where('name', 'like', '%dry%').execute()).map(
        ({ name }) => name,
      )
    })
    expect(seen).toEqual(['dry'])
    expect(await namesLike('%dry%')).toEqual(['before a dry run'])
    expect(database.version?.()).toBe(version)
    const trouble = new Error('refused')
    const refused = database.dryRun(async (tx) => {
      await tx.insertInto('setting').values({ name: 'dry', value: '' }).execute()
      throw trouble
    })
    await expect(refused).rejects.toBe(trouble)
    const stubborn = database.dryRun(async (tx) => {
      const again = tx.insertInto('setting').values({ name: 'before a dry run', value: '' })
      await again.execute().catch(() => {})
    })
    await expect(stubborn).rejects.toThrow()
    expect(await namesLike('%dry%')).toEqual(['before a dry run'])
  })

  test('dry runs among waiting writes take none of them along, and see those before them', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const name = `mixed ${String(number).padStart(3, '0')}`
        const work = async (tx: Transaction) => {
          await tx.insertInto('setting').values({ name, value: '' }).execute()
          return name
        }
        return number % 3 === 0
          ? { name: await database.dryRun(work), isKept: false }
          : { name: await database.write(work), isKept: true }
      }),
    )
    expect(await namesLike('mixed %')).toEqual(outcomes.flatMap(({ name, isKept }) => (isKept ? [name] : [])))
  })

  test('failing writes take none of the other waiting writes with them', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, number) =>
        database.write(async (tx) => {
          const name = `batch ${String(number).padStart(3, '0')}`
          await tx.insertInto('setting').values({ name, value: '' }).execute()
          if (number % 7 === 0) throw new Error(name)
          return name
        }),
      ),
    )
    const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(kept).toHaveLength(85)
    expect(await namesLike('batch %')).toEqual(kept)
  })

  test('a unique violation is known as one, and ends the transaction even when it is caught', async () => {
    await put('unique')
    await expect(put('unique')).rejects.toSatisfy(isUniqueViolation)
    const asking = database.write((tx) =>
      tx.insertInto('setting').values({ name: 'unique', value: '' }).returning('name').execute(),
    )
    await expect(asking).rejects.toSatisfy(isUniqueViolation)
    const stubborn = database.write(async (tx) => {
      await tx.insertInto('setting').values({ name: 'before the violation', value: '' }).execute()
      await tx
        .insertInto('setting')
        .values({ name: 'unique', value: '' })
        .execute()
        .catch(() => {})
    })
    await expect(stubborn).rejects.toThrow('cannot be committed')
    const more = database.write(async (tx) => {
      await tx
        .insertInto('setting')
        .values({ name: 'unique', value: '' })
        .execute()
        .catch(() => {})
      await tx.insertInto('setting').values({ name: 'after the violation', value: '' }).execute()
    })
    await expect(more).rejects.toThrow()
    expect(await namesLike('% the violation')).toEqual([])
    expect(isUniqueViolation(new Error('another'))).toBe(false)
  })

  test('one read sees one moment, whatever is written meanwhile', async () => {
    await put('moment 1')
    const [before, after] = await database.read(async (snapshot) => {
      const count = () =>
        snapshot
          .selectFrom('setting')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('name', 'like', 'moment %')
          .executeTakeFirstOrThrow()
      const first = await count()
      await put('moment 2')
      return [first.count, (await count()).count]
    })
    expect([before, after]).toEqual([1, 1])
    expect(await namesLike('moment %')).toHaveLength(2)
  })

  test('more reads at once than there are connections all get an answer', async () => {
    await put('crowd')
    const answers = await Promise.all(Array.from({ length: 60 }, () => namesLike('crowd')))
    expect(answers.every((names) => names.length === 1)).toBe(true)
  })

  test('a question is answered with what was written last, whatever was asked before', async () => {
    const asked = (snapshot: Snapshot) =>
      snapshot.selectFrom('setting').select('value').where('name', '=', 'asked').executeTakeFirst()
    await put('asked', 'first')
    expect(await database.ask(asked)).toEqual({ value: 'first' })
    for (const value of ['second', 'third']) {
      await database.write((tx) => tx.updateTable('setting').set({ value }).where('name', '=', 'asked').execute())
      const answers = await Promise.all(Array.from({ length: 30 }, () => database.ask(asked)))
      expect(answers).toEqual(Array.from({ length: 30 }, () => ({ value })))
    }
  })

  describe.each(['read', 'ask'] as const)('a snapshot of database.%s', (way) => {
    test('frees its connection when it fails', async () => {
      for (let round = 0; round < 20; round++) {
        await expect(database[way](() => Promise.reject(new Error('no')))).rejects.toThrow('no')
        const nonsense = database[way]((snapshot) => sql`select nonsense`.execute(snapshot as Transaction))
        await expect(nonsense).rejects.toThrow('nonsense')
      }
      expect(await namesLike('nothing')).toEqual([])
    })

    test('cannot write, not even past the types', async () => {
      const sneaky = database[way](async (snapshot) => {
        await sql`insert into setting (name, value) values ('sneaked', '')`.execute(snapshot as unknown as Transaction)
      })
      await expect(sneaky).rejects.toThrow(/read-?only/)
      expect(await namesLike('sneaked')).toEqual([])
    })
  })
})

import { describe, expect, it } from 'vitest'
import { sqlFaults } from './sql.ts'
import { sources } from './tree.ts'

describe('the house', () => {
  it('writes SQL in two ways: prepared for fixed shapes, fragments for asked ones', () => {
    expect(sqlFaults(sources())).toEqual([])
  })
})

describe('the rule about SQL', () => {
  const faultsOf = (path: string, text: string) => sqlFaults([{ path, text }])

  it('sees a query that is built and run on the spot', () => {
    for (const end of ['execute()', 'executeTakeFirst()', 'executeTakeFirstOrThrow()', 'stream()'])
      expect(faultsOf('src/storage/file-rows.ts', `rows.selectFrom('file').selectAll()\n  .${end}\n`)).toHaveLength(1)
    expect(faultsOf('src/storage/sql/prepared.ts', 'query.execute()')).toHaveLength(1)
  })
  it('sees SQL that is written some other way', () => {
    expect(faultsOf('src/storage/doctor/keys.ts', "import { sql } from 'kysely'\n")).toHaveLength(1)
    expect(faultsOf('src/storage/a.ts', "import {\n  type Kysely,\n  sql as by,\n} from 'kysely'\n")).toHaveLength(1)
    expect(faultsOf('src/storage/a.ts', "import { CompiledQuery, type Kysely } from 'kysely'\n")).toHaveLength(1)
    expect(faultsOf('src/storage/sql/fragment.ts', "import { CompiledQuery } from 'kysely'\n")).toHaveLength(1)
    expect(faultsOf('src/storage/a.ts', 'const query = statementOf(text, values)\n')).toHaveLength(1)
    expect(faultsOf('src/storage/a.ts', 'await rows.executeQuery(query)\n')).toHaveLength(1)
    expect(faultsOf('src/records/fragment.ts', 'await rows.executeQuery(query)\n')).toHaveLength(1)
  })
  it('lets types be named, and the two ways be what they are', () => {
    expect(faultsOf('src/storage/a.ts', "import { type CompiledQuery, Kysely } from 'kysely'\n")).toEqual([])
    expect(faultsOf('src/storage/a.ts', "import type { CompiledQuery } from 'kysely'\n")).toEqual([])
    const fragment = "import { statementOf } from './prepared.ts'\nrows.executeQuery(statementOf(text, values))\n"
    expect(faultsOf('src/storage/sql/fragment.ts', fragment)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { crumbs, participleTypes, repeatedTypes } from './names.ts'
import { appSources, sources, type TextFile } from './tree.ts'

const everything = (): readonly TextFile[] => [...sources(), ...appSources()]

describe('the house', () => {
  it('has no exported type name twice', () => {
    expect(repeatedTypes(everything())).toEqual([])
  })
  it('has no type that is called by a participle alone', () => {
    expect(participleTypes(everything())).toEqual([])
  })
  it('has no small file that only its neighbour imports', () => {
    expect(crumbs(everything())).toEqual([])
  })
})

describe('the rules of names', () => {
  const file = (path: string, ...lines: string[]): TextFile => ({ path, text: `${lines.join('\n')}\n` })

  it('see an exported type that stands twice, and let a private one be', () => {
    const twice = [
      file('src/a.ts', 'export interface Amount {}'),
      file('web/b.ts', 'export type Amount = 1'),
      file('web/c.ts', 'type Props = 1'),
      file('web/d.ts', 'type Props = 2'),
    ]
    expect(repeatedTypes(twice)).toEqual(['Amount: src/a.ts, web/b.ts'])
  })
  it('see a participle, exported or not, and know the nouns of the farm', () => {
    const types = file(
      'src/a.ts',
      'type Asked = 1',
      'export interface Told {}',
      'type Planting = 1',
      'type FoundLog = 1',
    )
    expect(participleTypes([types])).toEqual(['src/a.ts declares Asked', 'src/a.ts declares Told'])
  })
  it('see a small file that only its neighbour imports, unless the neighbour is a table', () => {
    const small = ['one', 'two', 'three'].map((name) => file(`src/kinds/${name}.ts`, 'export {}'))
    const imports = ["import './one.ts'", "import { a } from './two.ts'", "const b = import('./three.ts')"]
    expect(crumbs([...small, file('src/kinds/table.ts', ...imports)])).toEqual([])
    expect(crumbs([...small, file('src/kinds/table.ts', ...imports.slice(1))])).toHaveLength(2)
    const handsOn = ['one', 'two', 'three'].map((name) => `export { a as ${name} } from './${name}.ts'`)
    const others = file('src/others.ts', "import './kinds/one.ts'", "import './kinds/two.ts'")
    expect(crumbs([...small, file('src/kinds/types.ts', ...handsOn), others])).toEqual([])
    expect(crumbs([...small, file('src/kinds/types.ts', ...handsOn.slice(1)), others])).toHaveLength(1)
    expect(crumbs([...small, file('src/elsewhere.ts', "import './kinds/one.ts'")])).toEqual([])
  })
})

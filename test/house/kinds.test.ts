import { describe, expect, it } from 'vitest'
import { kindDefaults, partialKindTables } from './kinds.ts'
import { appSources, sources, type TextFile } from './tree.ts'

const everything = (): readonly TextFile[] => [...sources(), ...appSources()]

describe('the house', () => {
  it('has no switch on a kind with a default', () => {
    expect(kindDefaults(everything())).toEqual([])
  })
  it('has no table that may lack a kind of field', () => {
    expect(partialKindTables(everything())).toEqual([])
  })
})

describe('the rules of kinds', () => {
  const file = (...lines: string[]): TextFile => ({ path: 'src/a.ts', text: `${lines.join('\n')}\n` })
  const onKind = (...cases: string[]) => file('f() {', '  switch (field.kind) {', ...cases, '  }', '}')

  it('see a default among the kinds', () => {
    expect(kindDefaults([onKind("    case 'text':", '      return 1', '    default:', '      return 2')])).toEqual([
      'src/a.ts:2 has a default',
    ])
    expect(kindDefaults([file('  switch (kind) {', '    default:', '  }')])).toHaveLength(1)
    expect(kindDefaults([file('  switch (source.field.kind) {', '    default:', '  }')])).toHaveLength(1)
  })
  it('let a switch without one be, and a default of another switch', () => {
    const inner = ['      switch (word) {', '        default:', '          return 2', '      }']
    expect(kindDefaults([onKind("    case 'text':", ...inner)])).toEqual([])
    expect(kindDefaults([file('  switch (word) {', '    default:', '  }')])).toEqual([])
  })
  it('see a table of some kinds only', () => {
    const partial = [
      'x: Partial<Record<FieldKind, string>>',
      "Partial<Record<Field['kind'], 1>>",
      '{ [K in FieldKind]?: 1 }',
    ]
    for (const line of partial) expect(partialKindTables([file(line)]), line).toHaveLength(1)
    expect(partialKindTables([file('x: Record<FieldKind, string>')])).toEqual([])
  })
})

import { expect, it } from 'vitest'
import { appSources, sources, type TextFile } from './tree.ts'

const most = { files: 1000, lines: 300 }

const linesOf = ({ text }: TextFile): number => text.split('\n').length - 1

const larger = (files: readonly TextFile[], lines: number): string[] =>
  files.filter((file) => linesOf(file) > lines).map((file) => `${file.path}: ${linesOf(file)} lines`)

it('the house has at most a thousand files, and none is longer than a subject', () => {
  const files = [...sources(), ...appSources()]
  expect(files.length).toBeLessThanOrEqual(most.files)
  expect(larger(files, most.lines)).toEqual([])
})

it('the size rule sees a large file', () => {
  const large = { path: 'src/farm/everything.ts', text: 'export {}\n'.repeat(301) }
  expect(larger([large], most.lines)).toHaveLength(1)
})

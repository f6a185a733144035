import { expect, it } from 'vitest'
import { appSources, sources, type TextFile } from './tree.ts'

const linesOf = ({ text }: TextFile): number => text.split('\n').length - 1

const medianOf = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const larger = (files: readonly TextFile[], lines: number): string[] =>
  files.filter((file) => linesOf(file) > lines).map((file) => `${file.path}: ${linesOf(file)} lines`)

/** One file, however much there is to say: whoever adds a language copies it. */
const isLanguage = ({ path }: TextFile): boolean => /^src\/words\/[a-z]{2}\.ts$/.test(path)

it('the house is made of small files', () => {
  const files = [...sources(), ...appSources()].filter((file) => !isLanguage(file))
  const median = medianOf(files.map(linesOf))
  console.log(
    `${files.length} source files, median ${median} lines; above 200: ${larger(files, 200).join(', ') || 'none'}`,
  )
  expect(median).toBeLessThanOrEqual(80)
  expect(larger(files, 300)).toEqual([])
})

it('the size rule sees a large file', () => {
  const large = { path: 'src/farm/everything.ts', text: 'export {}\n'.repeat(301) }
  expect(larger([large], 300)).toHaveLength(1)
  expect(medianOf([1, 100, 3])).toBe(3)
})

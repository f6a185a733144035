import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { TextFile } from './tree.ts'

/** The catalogue, the languages, the programs, the quick entries, and migrations, which read what earlier releases wrote. */
const free = /^(src\/(farm|words|storage\/migrations)|programs|web\/entries)\//

const names = Object.values(stockFarm.records).flatMap(({ bundles }) => Object.keys(bundles))
const isOwnWord = (name: string): boolean => name.startsWith('farm_')
const anyOf = (some: readonly string[]): string => `(?:${some.join('|')})`

/** A plain name such as `group` is also an English word: it counts where code takes it for a bundle. */
const naming = new RegExp(
  [
    `\\b${anyOf(names.filter(isOwnWord))}\\b`,
    `\\b(?:bundles?|bundleName|vocabulary)\\b[\\s:=!?[(]*(['"\`])${anyOf(names.filter((name) => !isOwnWord(name)))}\\1`,
  ].join('|'),
)

/** Lines that name a bundle; `src/farm/bundle-names.ts` has a constant for each that other rooms need. */
export const bundleNameFaults = (files: readonly TextFile[]): string[] =>
  files
    .filter(({ path }) => !free.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (naming.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )

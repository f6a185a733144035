import { posix } from 'node:path'
import type { TextFile } from './tree.ts'

const headingsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => heading ?? '')

const withoutCode = (text: string): string => text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, '')

/** The fragment that a heading answers to, as code forges make it. */
export const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

export function missingSections(names: readonly string[], page: string): string[] {
  const headings = headingsOf(page)
  return names.filter((name) => !headings.includes(name))
}

/** Sections about what is no longer there. */
export const staleSections = (names: readonly string[], page: string): string[] =>
  [...withoutCode(page).matchAll(/^## +(.+?) *$/gm)]
    .map(([, heading]) => heading ?? '')
    .filter((heading) => !names.includes(heading))

/** Words with a letter or a digit, so that bars and dashes of tables do not count. */
export const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

export const missingWords = (words: readonly string[], page: string): string[] =>
  words.filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(page))

/** The labels of access cases in a text, each once. */
export const labelsIn = (text: string): string[] =>
  [...new Set(text.match(/\bON-\d+\b/g))].sort((one, other) => Number(one.slice(3)) - Number(other.slice(3)))

export const missingBlocks = (blocks: readonly string[], page: string): string[] =>
  blocks.filter((block) => !page.includes(`\`\`\`text\n${block}\n\`\`\``))

/** Links between our own pages and files that lead nowhere. `paths` are all files of the project. */
export const brokenLinks = (pages: readonly TextFile[], paths: ReadonlySet<string>): string[] =>
  pages.flatMap((page) =>
    [...withoutCode(page.text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link ?? '')
      .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(link, page, { pages, paths }))
      .map((link) => `${page.path}: ${link}`),
  )

interface Project {
  readonly pages: readonly TextFile[]
  readonly paths: ReadonlySet<string>
}

function leadsSomewhere(link: string, from: TextFile, { pages, paths }: Project): boolean {
  const [address = '', fragment] = link.split('#')
  const path = address === '' ? from.path : posix.normalize(posix.join(posix.dirname(from.path), address))
  const isFolder = [...paths].some((known) => known.startsWith(`${path.replace(/\/$/, '')}/`))
  if (!paths.has(path) && !isFolder) return false
  const page = pages.find((candidate) => candidate.path === path)
  return fragment === undefined || page === undefined || headingsOf(page.text).map(fragmentOf).includes(fragment)
}

/** Sections of the specification that a source, a test or the name of a spec test cites: `spec 2.5`, `test/spec/2-5-areas.test.ts`. */
export const citedSections = (files: readonly TextFile[]): string[] => {
  const inText = files.flatMap(({ text }) => [...text.matchAll(/\bspec(?:ification)? §?(\d+(?:\.\d+)*)/gi)])
  const inNames = files.flatMap(({ path }) => [...path.matchAll(/^test\/spec\/(\d+(?:-\d+)*)-/g)])
  const numbers = [...inText, ...inNames].map(([, number = '']) => number.replaceAll('-', '.'))
  return [...new Set(numbers)].sort()
}

/** Sections without a row in the page about the specification. */
export const missingRows = (numbers: readonly string[], page: string): string[] =>
  numbers.filter((number) => !page.includes(`\n| ${number} | `))

/** Lines of prose that are too long for an editor; tables, headings and code may be longer. */
export const longLines = (pages: readonly TextFile[], most: number): string[] =>
  pages.flatMap(({ path, text }) =>
    withoutCode(text)
      .split('\n')
      .filter((line) => [...line].length > most && !/^ *\||^#/.test(line))
      .map((line) => `${path}: ${line}`),
  )

import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { variableOf } from '../../src/cli/option.ts'
import { helpOf } from '../../src/cli/run-furrow.ts'
import { serverOptions } from '../../src/cli/server-options.ts'
import { refusals } from '../../src/refusal.ts'
import { unitWords } from '../../src/reports/units.ts'
import {
  brokenLinks,
  citedSections,
  labelsIn,
  longLines,
  missingBlocks,
  missingRows,
  missingSections,
  missingWords,
  staleSections,
  wordCount,
} from './documentation.ts'
import { appSources, filesUnder, ignoredFolders, pages, sources, tests } from './tree.ts'

const page = (path: string): string => pages().find((candidate) => candidate.path === path)?.text ?? ''

describe('the documentation', () => {
  it('explains every refusal, and no others', () => {
    const names = Object.keys(refusals)
    expect(missingSections(names, page('docs/refusals.md'))).toEqual([])
    expect(staleSections(names, page('docs/refusals.md'))).toEqual([])
  })
  it('stays under 45,000 words beside the page of types, which is generated', () => {
    const written = pages().filter(({ path }) => path.startsWith('docs/') && path !== 'docs/types.md')
    expect(wordCount(written.map(({ text }) => text).join('\n'))).toBeLessThan(45_000)
  })
  it('has every setting and its variable', () => {
    const names = Object.keys(serverOptions)
    expect(
      missingWords(
        names.map((name) => `--${name}`),
        page('docs/settings.md'),
      ),
    ).toEqual([])
    expect(missingWords(names.map(variableOf), page('docs/settings.md'))).toEqual([])
  })
  it('has every word for a unit that reports join, with how much it is', () => {
    const units = Object.values(unitWords).flatMap(({ units }) => units)
    const told = units.map(({ words, factor }) => `\`${factor.numerator}/${factor.denominator}\` ${words.join(', ')}`)
    expect(told.filter((words) => !page('docs/reports.md').includes(words))).toEqual([])
  })
  it('has every command with all of its options, as its own help shows them', () => {
    const names = commands.map(({ words }) => `furrow ${words}`)
    expect(missingSections(names, page('docs/commands.md'))).toEqual([])
    expect(missingBlocks(commands.map(helpOf), page('docs/commands.md'))).toEqual([])
    expect(page('docs/commands.md').match(/^```text\nUsage: /gm)).toHaveLength(commands.length)
  })
  it('explains every label of an access case that a test has, and no others', () => {
    const used = tests().filter(({ path }) => !path.startsWith('test/house/'))
    const rows = page('test/README.md').match(/^\| ON-\d+ \| \S.* \|$/gm) ?? []
    expect(rows.map((row) => row.split(' ')[1])).toEqual(labelsIn(used.map(({ text }) => text).join('\n')))
  })
  it('says what each section of the specification asks for that the code cites', () => {
    const cited = citedSections([
      ...sources(),
      ...appSources(),
      ...tests().filter(({ path }) => !path.startsWith('test/house/')),
    ])
    expect(cited).toContain('5.2')
    expect(missingRows(cited, page('docs/specification.md'))).toEqual([])
  })
  it('has lines of at most 120 characters', () => {
    const ours = pages().filter(({ path }) => /^(docs\/.+|README|CONTRIBUTING|CHANGELOG)\.md$/.test(path))
    expect(longLines(ours, 120)).toEqual([])
  })
  it('leads to no farm in this folder that git would take in', () => {
    const made = pages().flatMap(({ text }) => [...text.matchAll(/--data \.\/([\w-]+)/g)].map(([, name]) => name))
    expect(made).toContain('demo-data')
    expect(ignoredFolders).toEqual(expect.arrayContaining(['farm-data', ...made]))
  })
  it('has no link that leads nowhere', () => {
    const paths = new Set(filesUnder('', /./).map(({ path }) => path))
    expect(brokenLinks(pages(), paths)).toEqual([])
  })
})

describe('the documentation rules', () => {
  it('see a missing and a stale section', () => {
    const text = '# Refusals\n\n## busy\n\n```text\n## not-found\n```\n'
    expect(missingSections(['busy', 'not-found'], text)).toEqual(['not-found'])
    expect(staleSections(['not-found'], text)).toEqual(['busy'])
  })
  it('see a missing word and do not take a longer one for it', () => {
    expect(missingWords(['--data', 'FURROW_DATA'], '`--database`, FURROW_DATABASE')).toEqual(['--data', 'FURROW_DATA'])
    expect(missingWords(['--data', 'FURROW_DATA'], '| `--data DIR` | `FURROW_DATA` |')).toEqual([])
  })
  it('see a section that is cited in a comment or a file name, and has no row', () => {
    const files = [
      { path: 'src/a.ts', text: '/** Areas (spec 2.5), Specification 4 */' },
      { path: 'test/spec/4-1-filters.test.ts', text: '' },
    ]
    expect(citedSections(files)).toEqual(['2.5', '4', '4.1'])
    expect(missingRows(['2.5', '4'], '# Specification\n\n| 2.5 | an area |\n| 4.1 | filters |')).toEqual(['4'])
  })
  it('see a long line of prose, and leave tables and code alone', () => {
    const long = 'word '.repeat(30)
    const text = `# ${long}\n\n| ${long} |\n\n\`\`\`text\n${long}\n\`\`\`\n\n- ${long}end\n`
    expect(longLines([{ path: 'docs/a.md', text }], 120)).toEqual([`docs/a.md: - ${long}end`])
  })
  it('count words, and neither bars nor dashes', () => {
    expect(wordCount('# Über 45\n\n| a | b-c |\n|---|---|\n')).toBe(4)
  })
  it('see every label once, in order', () => {
    expect(labelsIn("test('ON-100 a, ON-07 b') test('ON-07 c') CON-08 ON-9x")).toEqual(['ON-07', 'ON-100'])
  })
  it('see a block of help that is out of date', () => {
    expect(missingBlocks(['Usage: furrow old'], '```text\nUsage: furrow new\n```')).toHaveLength(1)
    expect(missingBlocks(['Usage: furrow new'], '```text\nUsage: furrow new\n```')).toEqual([])
  })
  it('see a link to no file and to no heading', () => {
    const readme = {
      path: 'README.md',
      text: '[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#there) [d](docs/a.md#gone) [e](#my-farm)',
    }
    const a = { path: 'docs/a.md', text: '# There\n\n[up](../README.md) [out](https://example.org/x)' }
    expect(brokenLinks([readme, a], new Set(['README.md', 'docs/a.md']))).toEqual([
      'README.md: docs/b.md',
      'README.md: docs/a.md#gone',
      'README.md: #my-farm',
    ])
  })
})

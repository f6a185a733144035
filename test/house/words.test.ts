import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appSources, root, sources, type TextFile, tests } from './tree.ts'
import {
  doorWordsInside,
  fileNameFaults,
  identifierFaults,
  marks,
  silencedChecks,
  sleepingTests,
  unfinishedMarks,
  unguessableNames,
} from './words.ts'

const named = (path: string): TextFile => ({ path, text: '' })
const saying = (text: string): TextFile => ({ path: 'src/farm/farm.ts', text })

const shipped = () => [...sources(), ...appSources()]
const ours = () => [...shipped(), ...tests()]

describe('the house', () => {
  it('has file names that say what is inside', () => {
    expect(fileNameFaults(shipped())).toEqual([])
  })
  it('declares names that say what they are', () => {
    expect(identifierFaults(ours())).toEqual([])
  })
  it('is finished: no marks of work to come', () => {
    expect(unfinishedMarks(ours())).toEqual([])
  })
  it('switches no check off', () => {
    expect(silencedChecks(shipped())).toEqual([])
  })
  it('has a linter that refuses a value of no type', () => {
    const { linter } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    expect(linter.rules.suspicious.noExplicitAny).toBe('error')
  })
  it('has no test that sleeps or runs alone', () => {
    expect(sleepingTests(ours())).toEqual([])
  })
  it('has no name that only its makers know', () => {
    expect(unguessableNames(sources())).toEqual([])
  })
  it('has verbs that know no door', () => {
    expect(doorWordsInside(sources())).toEqual([])
  })
})

describe('the word rules', () => {
  it('see an empty file or folder name', () => {
    const wrong = ['src/farm/utils.ts', 'src/farm/log-helpers.ts', 'src/shared/log.ts', 'src/farm/LogType.ts']
    for (const path of wrong) expect(fileNameFaults([named(path)]), path).toHaveLength(1)
    const right = ['src/doors/http/base-address.ts', 'src/doors/record-1x/list.ts', 'test/cli/help.test.ts']
    for (const path of right) expect(fileNameFaults([named(path)]), path).toEqual([])
  })
  it('see an empty identifier', () => {
    const wrong = ['class LogManager {}', 'interface BaseRecord {}', 'const requestHandler = 1', 'type LogDto = 1']
    for (const text of wrong) expect(identifierFaults([saying(text)]), text).toHaveLength(1)
    expect(identifierFaults([saying('const manager = roles.manager')])).toEqual([])
  })
  it('see an unfinished mark', () => {
    for (const mark of marks) expect(unfinishedMarks([saying(`// ${mark}: later`)]), mark).toHaveLength(1)
    expect(unfinishedMarks([saying('const todo = 1')])).toEqual([])
  })
  it('see a check that is switched off', () => {
    const wrong = ['ignore', 'nocheck', 'expect-error'].map((way) => `// @ts-${way}`)
    for (const text of wrong) expect(silencedChecks([saying(text)]), text).toHaveLength(1)
    expect(silencedChecks([saying(`// biome-${'ignore'} lint/suspicious/noExplicitAny: lazy`)])).toHaveLength(1)
    expect(silencedChecks([saying(`// @ts-${'expect-error'} the library's types lag behind`)])).toEqual([])
  })
  it('see a name that nobody guesses', () => {
    for (const text of ['interface Inquiry {}', 'const house = 1', 'rows: Writing', 'const id = known(row)'])
      expect(unguessableNames([saying(text)]), text).toHaveLength(1)
    expect(unguessableNames([named('src/doors/record-1x/wishes.ts')])).toHaveLength(1)
    for (const text of ['// the house', "'few'", 'const known = new Map()', 'tx: Transaction'])
      expect(unguessableNames([saying(text)]), text).toEqual([])
  })
  it('see a word of a door inside', () => {
    const wrong = [
      "'farm_asset'",
      "'taxonomy_term'",
      'oldName',
      'input.geom',
      'entry.brackets',
      'log.values.done',
      'done: yesNo(',
    ]
    for (const text of wrong)
      expect(doorWordsInside([{ path: 'src/records/finding/find.ts', text }]), text).toHaveLength(1)
    for (const path of ['src/doors/record-1x/record.ts', 'src/storage/migrations/0004-paths.ts', 'src/fields/text.ts'])
      expect(doorWordsInside([{ path, text: "'farm_asset'" }]), path).toEqual([])
    const right = ["status === 'done'", 'geometry', 'const { done, value } = next', '/** A bracket is not a word. */']
    for (const text of right) expect(doorWordsInside([{ path: 'src/records/finding/find.ts', text }]), text).toEqual([])
  })
  it('see a test that does not run', () => {
    for (const way of ['skip', 'only', 'todo']) {
      expect(sleepingTests([saying(`  it.${way}('rests', () => {})`)]), way).toHaveLength(1)
    }
    expect(sleepingTests([saying(`  x${'it'}('rests', () => {})`)])).toHaveLength(1)
    expect(sleepingTests([saying("  it('runs', () => {})")])).toEqual([])
  })
})

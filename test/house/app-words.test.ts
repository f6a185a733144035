import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from '../../src/words/en.ts'
import type { TextPart } from '../../src/words/words.ts'
import { appSources, type TextFile } from './tree.ts'

const parts: readonly (readonly [name: string, words: TextPart])[] = Object.entries(en)
const valueImport = /^import (?!type )([^'"]*?)from '(\.[^']+)'/gms
const onlyTypes = (names: string): boolean => /^\{(?:\s*type \w+(?: as \w+)?,?)+\s*\}\s*$/.test(names)

const reachedFrom = (start: string, files: ReadonlyMap<string, string>, seen = new Set<string>()): Set<string> => {
  const text = files.get(start)
  if (text === undefined || seen.has(start)) return seen
  seen.add(start)
  for (const [, names = '', from = ''] of text.matchAll(valueImport))
    if (!onlyTypes(names)) reachedFrom(posix.normalize(posix.join(posix.dirname(start), from)), files, seen)
  return seen
}

const saidIn = (text: string): string[] => {
  if (!/\bsay\(/.test(text)) return []
  const literals = new Set([...text.matchAll(/['`]([\w-]+\.[\w.-]+)['`]/g)].map(([, key]) => key ?? ''))
  return parts.filter(([, words]) => Object.keys(words).some((key) => literals.has(key))).map(([name]) => name)
}

const addedIn = (text: string): string[] =>
  [...text.matchAll(/\baddWords\(([\w, ]+)\)/g)].flatMap(([, names = '']) => names.split(', '))

/** Scripts that are loaded by themselves, each with the parts whose words it says and nobody has added by then. */
function missingWords(sources: readonly TextFile[]): string[] {
  const files = new Map(sources.map(({ path, text }) => [path, text]))
  const textsOf = (paths: Iterable<string>) => [...paths].map((path) => files.get(path) ?? '')
  const first = reachedFrom('web/app.tsx', files)
  const later = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to = '']) =>
      posix.normalize(posix.join(posix.dirname(path), to)),
    ),
  )
  return ['web/app.tsx', 'web/shared-report/shared-report.tsx', ...new Set(later)].flatMap((root) => {
    const before = root.startsWith('web/shared-report/') ? [] : first
    const texts = textsOf(new Set([...before, ...reachedFrom(root, files)]))
    const added = new Set(texts.flatMap(addedIn))
    return [...new Set(texts.flatMap(saidIn))].filter((part) => !added.has(part)).map((part) => `${root}: ${part}`)
  })
}

describe('the words of the app', () => {
  it('are added by each script that is loaded by itself', () => {
    expect(missingWords(appSources())).toEqual([])
  })
  it('are missed where nobody adds them', () => {
    const app = { path: 'web/app.tsx', text: "const later = () => import('./screen/more.tsx')\n" }
    const lazy = "import { say } from '../words/say.ts'\nexport const words = say('form.save')\n"
    expect(missingWords([app, { path: 'web/screen/more.tsx', text: lazy }])).toEqual(['web/screen/more.tsx: form'])
    const whole = `${lazy}addWords(form)\n`
    expect(missingWords([app, { path: 'web/screen/more.tsx', text: whole }])).toEqual([])
  })
})

import type { TextFile } from './tree.ts'

const typeDeclaration = /^(export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) ([A-Z]\w*)/gm

interface DeclaredType {
  readonly path: string
  readonly name: string
  readonly isExported: boolean
}

const typesIn = (files: readonly TextFile[]): readonly DeclaredType[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(typeDeclaration)].map(([, exported, name = '']) => ({
      path,
      name,
      isExported: exported !== undefined,
    })),
  )

/** A name that two exported types have: whoever searches for it finds the wrong one. */
export function repeatedTypes(files: readonly TextFile[]): string[] {
  const places = new Map<string, string[]>()
  for (const { name, path } of typesIn(files).filter(({ isExported }) => isExported))
    places.set(name, [...(places.get(name) ?? []), path])
  return [...places].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}

/** Nouns of the catalogue and of the trade that end like a participle. */
const nouns = ['Planting', 'Seeding', 'Transplanting', 'Spacing', 'Setting', 'Heading', 'Finding', 'Drawing', 'Listing']

const irregular = ['Found', 'Told', 'Known', 'Shown', 'Given', 'Kept', 'Said', 'Made', 'Sent', 'Taken', 'Drawn', 'Left']

/** A type that is called by a participle alone says what happened to a thing, and not what it is. */
export const participleTypes = (files: readonly TextFile[]): string[] =>
  typesIn(files)
    .filter(({ name }) => !nouns.includes(name))
    .filter(({ name }) => /^[A-Z][a-z]+(ed|ing)$/.test(name) || irregular.includes(name))
    .map(({ name, path }) => `${path} declares ${name}`)

const importOf = /(?:\bfrom|\bimport\()\s*'(\.[^']+)'|^import '(\.[^']+)'/gm

const least = { lines: 40, inATable: 3 }

/**
 * A file of few lines whose only importer stands beside it belongs into that importer. A table of at least three files
 * that nobody else imports, as of types, kinds, commands or screens, may have each in a file of its own, and so may a
 * file that only hands on what at least three others beside it export.
 */
export function crumbs(files: readonly TextFile[]): string[] {
  const small = new Set(files.filter(({ text }) => text.split('\n').length - 1 < least.lines).map(({ path }) => path))
  const importers = new Map<string, string[]>()
  for (const { path, text } of files)
    for (const target of targetsOf(path, text)) importers.set(target, [...(importers.get(target) ?? []), path])
  const neighbours = files.flatMap(({ path }) => {
    const [only, ...others] = new Set(importers.get(path) ?? [])
    return only !== undefined && others.length === 0 && folderOf(only) === folderOf(path) ? [{ path, only }] : []
  })
  const catalogues = new Set(files.filter(onlyHandsOn).map(({ path }) => path))
  const isTable = (importer: string) =>
    catalogues.has(importer) || neighbours.filter(({ only }) => only === importer).length >= least.inATable
  return neighbours
    .filter(({ path, only }) => small.has(path) && !isTable(only))
    .map(({ path, only }) => `${path} belongs into ${only}`)
}

const onlyHandsOn = ({ text }: TextFile): boolean =>
  !/^import /m.test(text) && (text.match(/^export \{[^}]*\} from '\.\//gm) ?? []).length >= least.inATable

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const targetsOf = (path: string, text: string): readonly string[] =>
  [...text.matchAll(importOf)].map(([, from, alone]) => {
    const target = new URL(from ?? alone ?? '', `file:///${path}`)
    return target.pathname.slice(1)
  })

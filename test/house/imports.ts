import { posix } from 'node:path'
import type { TextFile } from './tree.ts'

/** A file imports from its own room and from rooms to its left. */
const rooms = [
  'client',
  'words',
  'fields',
  'formats',
  'farm',
  'storage',
  'access',
  'history',
  'records',
  'reports',
  'wire-1x',
  'sheets',
  'maps',
  'doors',
  'programs',
  'cli',
  'program',
  'compiled-program',
  'main',
]
const openToAll = ['refusal', 'clock', 'config', 'version', 'limits', 'shipped-folders', 'import-module'].map(
  (name) => `src/${name}.ts`,
)

/** The only room that may know each library. */
const roomOfLibrary: readonly (readonly [RegExp, string])[] = [
  [/^fastify$|^@fastify\//, 'doors'],
  [/^saxes$/, 'formats'],
  [/^kysely($|\/)|^pg($|\/)|^@photostructure\//, 'storage'],
  [/^@node-rs\/argon2$/, 'access'],
]

const importPattern =
  /^[ \t]*(?:import|export)\b[^'"`;=]*?\bfrom\s*['"]([^'"\n]+)['"]|^[ \t]*import\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/gm

export const specifiersOf = ({ text }: TextFile): string[] =>
  [...text.matchAll(importPattern)].map(([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? '')

const importsOf = (file: TextFile): string[] =>
  specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(posix.dirname(file.path), specifier)))

function roomOf(path: string): string {
  const [folder, room = ''] = path.split('/')
  return folder === 'programs' ? folder : room.replace(/\.ts$/, '')
}

export const directionFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !openToAll.includes(target) || openToAll.includes(file.path))
      .filter((target) => {
        const [from, to] = [rooms.indexOf(roomOf(file.path)), rooms.indexOf(roomOf(target))]
        return to < 0 || from < to
      })
      .map((target) => `${file.path} imports ${target}`),
  )

/** The doors stand on doors/http and never on each other. */
export function doorFaults(files: readonly TextFile[]): string[] {
  const doorOf = (path: string) => /^src\/doors\/([^/]+)\//.exec(path)?.[1]
  return files.flatMap((file) =>
    importsOf(file)
      .filter((target) => doorOf(file.path) !== undefined && target.startsWith('src/doors/'))
      .filter((target) => ![doorOf(file.path), 'http'].includes(doorOf(target)))
      .map((target) => `${file.path} imports ${target}`),
  )
}

/** A program knows the rooms left of the doors and its own files: no door and no other program. */
export function programFaults(files: readonly TextFile[]): string[] {
  const programOf = (path: string) => /^programs\/([^/]+)\//.exec(path)?.[1]
  return files.flatMap((file) => {
    const own = programOf(file.path)
    if (own === undefined) return []
    return importsOf(file)
      .filter((target) => target.startsWith('src/doors/') || ![own, undefined].includes(programOf(target)))
      .map((target) => `${file.path} imports ${target}`)
  })
}

/** Commands open the doors to serve them; whatever else they need lies left of the doors. */
export const commandFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => roomOf(file.path) === 'cli' && roomOf(target) === 'doors' && !servingFiles.has(file.path))
      .map((target) => `${file.path} imports ${target}`),
  )

const servingFiles: ReadonlySet<string> = new Set(['src/cli/serve.ts', 'src/cli/served-files.ts'])

export const libraryFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    specifiersOf(file)
      .filter((specifier) =>
        roomOfLibrary.some(([library, room]) => library.test(specifier) && roomOf(file.path) !== room),
      )
      .map((specifier) => `${file.path} imports ${specifier}`),
  )

export const extensionFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !/\.(tsx?|mjs|json)$/.test(target))
      .map((target) => `${file.path} imports ${target} without its extension`),
  )

/** Every way round, named by the file where it closes. */
export function cycles(files: readonly TextFile[]): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]))
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (state.get(path) === 'open') found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (state.has(path)) return
    state.set(path, 'open')
    for (const target of imports.get(path) ?? []) visit(target, [...way, path])
    state.set(path, 'done')
  }
  for (const { path } of files) visit(path, [])
  return found
}

/**
 * A file that only hands on what others wrote, so that nobody sees where a thing comes from.
 * A list that is taken whole (`import * as logTypes`) is a value and no barrel.
 */
export const barrels = (files: readonly TextFile[]): string[] =>
  files.map(({ path }) => path).filter((path) => /(^|\/)index\.ts$/.test(path) || isTakenApart(path, files))

function isTakenApart(path: string, files: readonly TextFile[]): boolean {
  const text = files.find((file) => file.path === path)?.text ?? ''
  const ownStatements = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(importPattern, '')
  if (!/^export\b/m.test(text) || ownStatements.trim() !== '') return false
  const isTakenWhole = (user: TextFile) =>
    new RegExp(`\\* as \\w+ from ['"][^'"]*/${posix.basename(path)}['"]`).test(user.text)
  const users = files.filter((file) => importsOf(file).includes(path))
  return /^export \*/m.test(text) || !users.every(isTakenWhole)
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** A file of the project: its path from the project's root, with `/`, and what is in it. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** Folders that git leaves alone. */
export const ignoredFolders: readonly string[] = [
  ...readFileSync(join(root, '.gitignore'), 'utf8').matchAll(/^([^*\n]+)\/$/gm),
].map(([, name = '']) => name)

const notOurs = new Set([...ignoredFolders, '.git'])

export function filesUnder(folder: string, suffix: RegExp): TextFile[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return notOurs.has(entry.name) || notOurs.has(`/${path}`) ? [] : filesUnder(path, suffix)
    return suffix.test(entry.name) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []
  })
}

export const sources = (): TextFile[] => ['src', 'programs'].flatMap((folder) => filesUnder(folder, /\.ts$/))
export const appSources = (): TextFile[] => filesUnder('web', /\.tsx?$/)
export const tests = (): TextFile[] => filesUnder('test', /\.ts$/)
export const pages = (): TextFile[] => filesUnder('', /\.md$/)

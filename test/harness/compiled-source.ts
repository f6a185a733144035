import { rmSync } from 'node:fs'
import { readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vitest/config'
import { isRunning } from '../../build/is-running.mjs'
import { root, sources } from '../house/tree.ts'

const prefix = '.furrow-source-'
const folders = join(root, 'node_modules')
const ofThisRun = join(folders, `${prefix}${process.pid}`)
const isCompiled = (path: string): boolean => /^\/(src|programs)\/.*\.ts$/.test(path)

/**
 * Compiles src and programs once per run, file by file. Node loads a thousand compiled files in one second; vitest, which
 * compiles them anew for each project and sends each to each worker, takes ten.
 */
export async function compiledSource(): Promise<Plugin> {
  await sweepRunsThatEnded()
  await compile(sources().map(({ path }) => join(root, path)))
  process.once('exit', () => rmSync(ofThisRun, { recursive: true, force: true }))
  return {
    name: 'compiled-source',
    enforce: 'pre',
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.')) return null
      const path = resolve(dirname(importer), specifier)
      const within = path.slice(root.length)
      return path.startsWith(root) && isCompiled(within) ? join(ofThisRun, within.replace(/\.ts$/, '.js')) : null
    },
  }
}

/** Packages stay where they are, but for what the compiler itself adds and the quick hashes of passwords. */
const isPackage = (specifier: string): boolean =>
  /^[^./]/.test(specifier) && !specifier.startsWith('@oxc-project/') && specifier !== '@node-rs/argon2'

async function compile(input: string[]): Promise<void> {
  const program = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    treeshake: false,
    external: isPackage,
    resolve: { alias: { '@node-rs/argon2': join(root, 'test/harness/quick-argon2.ts') } },
    logLevel: 'warn',
  })
  await program.write({ dir: ofThisRun, preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js' })
  await program.close()
  // What src finds beside itself: the built app and pages, the examples, its version.
  for (const name of ['dist', 'examples', 'package.json']) await symlink(join(root, name), join(ofThisRun, name))
}

async function sweepRunsThatEnded(): Promise<void> {
  const runs = (await readdir(folders)).filter((name) => name.startsWith(prefix))
  for (const name of runs.filter((one) => !isRunning(Number(one.slice(prefix.length)))))
    await rm(join(folders, name), { recursive: true, force: true })
}

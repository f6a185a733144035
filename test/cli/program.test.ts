import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { optionsOfStart } from '../../build/program.mjs'
import { emptyDirectory } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { builtMain, furrow, serve } from './built-furrow.ts'

const run = promisify(execFile)

const programText = async (): Promise<string> => readFile(join(dirname(await builtMain()), 'program.cjs'), 'utf8')

test('the program is one file, which brings all it needs but the machine code and what Node has to load', async () => {
  const loaded = [...(await programText()).matchAll(/^\S.* = require\("([^"]+)"\);$/gm)].map(([, name = '']) => name)
  expect(loaded.filter((name) => !name.startsWith('node:')).sort()).toEqual([
    './import-module.cjs',
    '@node-rs/argon2',
    '@photostructure/sqlite',
  ])
})

test('the program does not bring what is never asked for', async () => {
  const map = JSON.parse(await readFile(join(dirname(await builtMain()), 'program.cjs.map'), 'utf8'))
  const origins: string[] = map.sources
  expect(origins.filter((path) => path.endsWith('/fastify/fastify.js'))).toHaveLength(1)
  expect(origins.filter((path) => /\/(ajv|pino|light-my-request)\//.test(path))).toEqual([])
})

test('a farm in a file runs nothing of the driver of the other engine, nor of what waits until it is asked for', async () => {
  const [data, coverage] = [await emptyDirectory(), await emptyDirectory()]
  const server = await serve(['--data', data], { env: { NODE_V8_COVERAGE: coverage } })
  expect(await server.stop()).toBe(0)
  const [name = ''] = await readdir(coverage)
  const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as { readonly result: readonly Covered[] }
  const program = result.find(({ url }) => url.endsWith('/program.cjs'))
  const text = await programText()
  const ran = (origin: string) => {
    const parts = [...text.matchAll(new RegExp(`^// ${origin}[^]*?^(?=// )`, 'gm'))]
    return (program?.functions ?? []).filter(({ ranges: [range] }) => {
      if (range === undefined || range.count === 0) return false
      // The program runs within a few words that are not in its file, so the end of a part reaches into the next.
      const { startOffset: start } = range
      return parts.some(({ index, 0: own }) => start > index + 100 && start < index + own.length)
    })
  }
  expect(ran('src/storage/sqlite/').length).toBeGreaterThan(10)
  expect(ran('node_modules/pg/lib/')).toEqual([])
  expect(text).toContain('// node_modules/semver/index.js')
  expect(ran('node_modules/semver/')).toEqual([])
})

interface Covered {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

test('the threads that it starts and what Node has to load lie beside it', async () => {
  const threads = [...(await programText()).matchAll(/new \S*Worker\(new URL\(`\.\/([\w-]+)/g)]
  expect(threads.map(([, name]) => name)).toEqual(['progress-painter'])
  const files = await readdir(dirname(await builtMain()))
  expect(files).toEqual(expect.arrayContaining(['import-module.cjs', 'progress-painter.cjs']))
})

test.each([
  ['by hand', []],
  ['by npm start', optionsOfStart()],
])('started %s, V8 takes what it compiled when the program was built', async (_, options) => {
  expect(await refusalIn(dirname(await builtMain()), options)).toBe('false\n')
})

test('a program that is another than the one that was compiled is compiled anew', async () => {
  const copy = await copyOfProgram()
  const [before, after] = ['Serve the farm over HTTP', 'Other words of this size']
  const text = await programText()
  expect(text).toContain(before)
  await writeFile(join(copy, 'program.cjs'), text.replace(before, after))
  expect(await helpOf(copy)).toContain(after)
})

test('what another Node has compiled is left alone', async () => {
  const copy = await copyOfProgram()
  const compiled = join(copy, 'compiled-program.js')
  expect(await refusalIn(copy, [])).toBe('false\n')
  const text = await readFile(compiled, 'utf8')
  expect(text).toContain('process.version')
  await writeFile(compiled, text.replace('process.version', "'v20.19.0'"))
  expect(await refusalIn(copy, [])).toBe('undefined\n')
})

test('the program is as strict as the modules that it is made of', async () => {
  expect(await programText()).toMatch(/^"use strict";/)
})

test('a command that never comes to its end is not taken for done', async () => {
  const module = join(await emptyDirectory(), 'never.mjs')
  await writeFile(module, 'export default () => new Promise(() => {})')
  expect(await furrow(['schema', '--module', module])).toEqual({ code: 1, stdout: '', stderr: '' })
})

test('a damaged result of compiling does no harm', async () => {
  const copy = await copyOfProgram()
  const [sound, file] = [await helpOf(copy), join(copy, 'program.compiled')]
  const bytes = await readFile(file)
  await writeFile(
    file,
    bytes.map((byte, place) => (place > 1000 && place % 50 === 0 ? ~byte : byte)),
  )
  expect(await helpOf(copy)).toBe(sound)
  await truncate(file, 100_000)
  expect(await helpOf(copy)).toBe(sound)
  await truncate(file, 0)
  expect(await helpOf(copy)).toBe(sound)
  await rm(file)
  expect(await helpOf(copy)).toBe(sound)
})

/** Whether V8 refuses what was compiled before; undefined where it is not even asked. */
async function refusalIn(folder: string, options: readonly string[]): Promise<string> {
  const look = join(await emptyDirectory(), 'look.mjs')
  const file = join(folder, 'compiled-program.js')
  await writeFile(look, `import { compileProgram } from '${file}'; console.log(compileProgram().cachedDataRejected)`)
  return (await run(process.execPath, [...options, look])).stdout
}

/** Beside the program itself, from where it finds what it does not bring. */
async function copyOfProgram(): Promise<string> {
  const dist = dirname(await builtMain())
  const copy = await mkdtemp(join(dirname(dist), 'copy-'))
  atEndOfFile(() => rm(copy, { recursive: true, force: true }))
  await cp(dist, copy, { recursive: true })
  return copy
}

const helpOf = async (folder: string): Promise<string> =>
  (await run(process.execPath, [join(folder, 'main.cjs'), 'help'])).stdout

import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { builtMain } from './built-furrow.ts'

/** What a file of the program loads with it, wherever that is. */
const loadedBy = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];?$/gm)].map(([, name = '']) => name)

/** Every file that is loaded before the first line of the given one runs, and what else they need. */
async function startOf(path: string): Promise<{ readonly files: string[]; readonly others: string[] }> {
  const [files, others] = [new Set([path]), new Set<string>()]
  for (const file of files) {
    for (const name of loadedBy(await readFile(file, 'utf8'))) {
      if (name.startsWith('./')) files.add(join(dirname(file), name))
      else others.add(name)
    }
  }
  return { files: [...files], others: [...others] }
}

/** The files that these were made of, as their maps tell. */
async function originsOf(files: readonly string[]): Promise<string[]> {
  const maps = await Promise.all(files.map((file) => readFile(`${file}.map`, 'utf8')))
  return maps.flatMap((map): string[] => JSON.parse(map).sources)
}

const installed = (others: readonly string[]): string[] => others.filter((name) => !name.startsWith('node:')).sort()

test('the program is a few files, which bring all they need but the machine code', async () => {
  const main = await builtMain()
  const commands = await startOf(main)
  expect(commands.files.length).toBeLessThan(8)
  expect(installed(commands.others)).toEqual(['@node-rs/argon2', '@photostructure/sqlite'])
})

test('a farm in a file starts without the driver of the other engine, and without what is never asked for', async () => {
  const main = await builtMain()
  const commands = await startOf(main)
  const texts = await Promise.all(commands.files.map((file) => readFile(file, 'utf8')))
  const [, doors = ''] = /import\("\.\/(main-open-doors-[^"]+)"\)/.exec(texts.join('\n')) ?? []
  const serving = await startOf(join(dirname(main), doors))
  const origins = await originsOf([...commands.files, ...serving.files])
  expect(origins.filter((path) => path.endsWith('/fastify/fastify.js'))).toHaveLength(1)
  expect(origins.filter((path) => path.includes('/pg/lib/'))).toEqual([])
  expect(origins.filter((path) => /\/(ajv|pino|light-my-request)\//.test(path))).toEqual([])
})

test('the threads that it starts lie beside it', async () => {
  const main = await builtMain()
  const folder = dirname(main)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const threads = texts.flatMap((text) => [...text.matchAll(/new Worker\(new URL\(`\.\/([\w-]+)/g)])
  expect(threads.map(([, name]) => `${name}.js`)).toEqual(['progress-painter.js'])
  expect(files).toContain('progress-painter.js')
})

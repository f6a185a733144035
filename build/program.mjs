import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { makeDocumentation } from './documentation.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** What comes as machine code for one platform stays where it was installed. */
const native = [/^@photostructure\/sqlite/, /^@node-rs\/argon2/, 'pg-native']

/** What Fastify fetches only where it is asked to judge by schemas, to write its own log or to play a request: never here. */
const unasked = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino', 'light-my-request']

/** What Fastify loads at once and uses only for plugins, or to speak what is not spoken here: it waits until it is asked for. */
const late = ['semver', 'node:http2', 'node:https']

/** What the program does not bring but finds beside itself: a thread of its own, and what has to be loaded by Node. */
const beside = ['cli/progress-painter', 'import-module']

/**
 * Compiles the rooms of src into a folder, file by file; these files say the types, and are what a module of a farm and our own
 * tools import. Commands and programs are not among them. Beside them it puts the program as `main.cjs` runs it: the same code,
 * commands and programs, and all it needs in one file, because loading a thousand small ones takes longer than all the rest of a
 * start, and what V8 makes of that file. Both are CommonJS: Node begins with a module a sixth later.
 * @param {string} dist
 */
export async function makeProgram(dist) {
  await sweepProgram(dist)
  await compile(dist)
  await bundle('main', dist, firstOfAll())
  for (const name of ['program', ...beside]) await bundle(name, dist)
  await chmod(join(dist, 'main.cjs'), 0o755)
  await makeDocumentation(dist)
  for (const options of [[], optionsOfStart()]) await practise(dist, options)
}

/** What an earlier build, or that of an earlier release, has left. @param {string} dist */
async function sweepProgram(dist) {
  const names = await readdir(dist).catch(() => [])
  const old = names.filter((name) => /^main(-.*)?\.(js(\.map)?|d\.ts)$|^program.*\.compiled$/.test(name))
  await Promise.all([...old, 'docs'].map((name) => rm(join(dist, name), { recursive: true, force: true })))
}

/** @param {string} dist */
async function compile(dist) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', dist]
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch(({ stdout }) => {
    throw new Error(`What is in src does not compile:\n${stdout}`)
  })
}

/** An old Node reads the whole of `main.cjs` before it comes to the question whether it is too old. */
const firstOfAll = () => ({
  transform: { target: 'es2019' },
  intro: readFileSync(join(root, 'build/supported-node.cjs'), 'utf8'),
})

/** @param {string} name @param {string} dist @param {{ transform?: { target?: string }, intro?: string }} [options] */
async function bundle(name, dist, { transform = {}, intro = '' } = {}) {
  const program = await rolldown({
    input: join(root, 'src', `${name}.ts`),
    cwd: root,
    platform: 'node',
    external: [...native, ...unasked],
    plugins: [
      { name: 'beside', resolveId: besideIt },
      { name: 'late', resolveId: lateIn, load: waiting },
    ],
    transform,
    logLevel: 'warn',
  })
  // Not minified: a stack trace is for people to read. `node --enable-source-maps` shows the lines of src.
  const file = join(dist, `${basename(name)}.cjs`)
  await program.write({ file, format: 'cjs', strict: true, sourcemap: true, codeSplitting: false, intro })
  await program.close()
}

/** @param {string} specifier @param {string | undefined} importer */
function besideIt(specifier, importer) {
  const name = basename(specifier, '.ts')
  const isBeside = importer !== undefined && beside.some((path) => basename(path) === name)
  return isBeside ? { id: `./${name}.cjs`, external: /** @type {const} */ ('relative') } : null
}

const waitingFor = '\0waiting for '

/** @param {string} specifier @param {string | undefined} importer */
function lateIn(specifier, importer = '') {
  const isLate = late.includes(specifier) && importer.includes('/node_modules/fastify/')
  return isLate ? `${waitingFor}${specifier}` : null
}

/** @param {string} id */
function waiting(id) {
  if (!id.startsWith(waitingFor)) return null
  const name = JSON.stringify(id.slice(waitingFor.length))
  return `module.exports = new Proxy({}, { get: (_, part) => require(${name})[part] })`
}

/** How `npm start` starts Node. @param {string} folder @returns {string[]} */
export function optionsOfStart(folder = root) {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return scripts.start.match(/(?<= )--\S+/g) ?? []
}

/** A program starts also without, only later. @param {string} dist @param {string[]} options */
async function practise(dist, options) {
  const practice = join(root, 'build/practice.mjs')
  const environment = Object.entries(process.env).filter(([name]) => !/^(FURROW_|NODE_)/.test(name))
  await promisify(execFile)(process.execPath, [...options, practice, dist], {
    env: Object.fromEntries(environment),
  }).catch(({ message }) => console.warn(`The program will start slower than it could:\n${message}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeProgram(resolve(process.argv[2] ?? 'dist'))

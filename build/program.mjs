import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { typesOfRecords } from './client-types.mjs'
import { makeDocumentation } from './documentation.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Native code for one platform stays where it was installed. */
const native = [/^@photostructure\/sqlite/, /^@node-rs\/argon2/, 'pg-native']

/** Fastify requires these only for schema validation, its own logger or injection. Furrow uses none of them. */
const unasked = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino', 'light-my-request']

/** Fastify loads these at start and uses them only for plugins or other protocols. They are loaded on first use. */
const late = ['semver', 'node:http2', 'node:https']

/** Files that the bundle leaves out: a worker thread, and a file that Node itself must load. */
const beside = ['cli/progress-painter', 'import-module']

/**
 * Compiles the rooms of src into a folder, file by file: modules of a farm and our own tools import these files, and
 * they hold the types. Commands and programs are left out. Beside them it writes the bundle that `main.cjs` runs, with
 * V8's compiled code: loading a thousand small files takes longer than the rest of a start. Both are CommonJS, because
 * ES modules start a sixth slower.
 * @param {string} dist
 */
export async function makeProgram(dist) {
  await sweepProgram(dist)
  await compile(dist)
  await bundle('main', dist, firstOfAll())
  for (const name of ['program', ...beside]) await bundle(name, dist)
  await chmod(join(dist, 'main.cjs'), 0o755)
  await writeFile(join(dist, 'build.json'), `${JSON.stringify({ commit: await builtCommit() })}\n`)
  await makeDocumentation(dist)
  await describeForClients(dist)
  for (const options of [[], optionsOfStart()]) await practise(dist, options)
}

/** The interface of a farm as it comes, and the types of its records, for those who write clients. @param {string} dist */
async function describeForClients(dist) {
  /** @type {typeof import('../src/doors/description.ts')} */
  const { describeStockInterface } = await import(pathToFileURL(join(dist, 'doors/description.js')).href)
  /** @type {typeof import('../src/config.ts')} */
  const { defaultSettings } = await import(pathToFileURL(join(dist, 'config.js')).href)
  const description = describeStockInterface(defaultSettings, 'http://127.0.0.1:8080')
  await writeFile(join(dist, 'openapi.json'), `${JSON.stringify(description)}\n`)
  await writeFile(join(dist, 'client/records.d.ts'), typesOfRecords(JSON.parse(JSON.stringify(description))))
}

/** As it was given, such as to the build of an image, or as git knows it. @returns {Promise<string>} */
export async function builtCommit() {
  if (process.env.FURROW_COMMIT) return process.env.FURROW_COMMIT
  const git = promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: root })
  return git.then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  )
}

/** Removes files of earlier builds. @param {string} dist */
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

/** An old Node parses all of `main.cjs` before it reaches the version check. */
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
  // Not minified, so that stack traces stay readable. `node --enable-source-maps` shows the lines of src.
  const file = join(dist, `${basename(name)}.cjs`)
  await program.write({
    file,
    format: 'cjs',
    strict: true,
    sourcemap: true,
    codeSplitting: false,
    comments: false,
    intro,
  })
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

/** The Node options of `npm start`. @param {string} folder @returns {string[]} */
export function optionsOfStart(folder = root) {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return scripts.start.match(/(?<= )--\S+/g) ?? []
}

/** The program also starts without compiled code, only slower. @param {string} dist @param {string[]} options */
async function practise(dist, options) {
  const practice = join(root, 'build/practice.mjs')
  const environment = Object.entries(process.env).filter(([name]) => !/^(FURROW_|NODE_)/.test(name))
  await promisify(execFile)(process.execPath, [...options, practice, dist], {
    env: Object.fromEntries(environment),
  }).catch(({ message }) => console.warn(`The program will start slower than it could:\n${message}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeProgram(resolve(process.argv[2] ?? 'dist'))

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { builtCommit, makeProgram, root } from './program.mjs'
import { versionOfRelease } from './release-version.mjs'
import { makeApp } from './web.mjs'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Seconds: the time of the commit, or 0 where there is no git. */
export const epoch = Number(
  await promisify(execFile)('git', ['log', '-1', '--format=%ct'], { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => '0',
  ),
)
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
export const version = versionOfRelease({ version: manifest.version, changelog, commit: await builtCommit(), epoch })
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** What is in none of our files because it is machine code, and has to be installed beside them. */
export const nativePackages = ['@photostructure/sqlite', '@node-rs/argon2']

/** What others import, and what it is made of: of the build file by file nothing else is shipped. */
const exported = ['farm/module', 'client/client', 'client/records']

/** The program as files, without what only a builder needs. */
const programFiles =
  /^(?:main|program|progress-painter|import-module)\.cjs$|^build\.json$|^openapi\.json$|^(?:app|docs)\//

/**
 * Puts the npm package into a folder inside this one, where the packages are found that the build tries it with.
 * @param {string} folder
 */
export async function makePackage(folder) {
  await rm(folder, { recursive: true, force: true })
  const dist = join(folder, 'dist')
  await mkdir(dist, { recursive: true })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`)
  await makeProgram(dist)
  await makeApp(dist)
  const needed = new Set(
    exported.flatMap((name) => [...closureOf(dist, `${name}.js`), ...closureOf(dist, `${name}.d.ts`)]),
  )
  for (const name of await filesBelow(dist)) {
    if (!programFiles.test(name) && !needed.has(name)) await rm(join(dist, name))
    else if (/\.(?:c?js|d\.ts)$/.test(name)) await withoutSourceMap(join(dist, name))
  }
  for (const name of [
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'docs',
    'deploy',
    'examples',
  ])
    await cp(join(root, name), join(folder, name), { recursive: true })
  // The app has its own copy.
  await rm(join(folder, 'examples/demo-farm.json'), { force: true })
  await sharePictures(folder)
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), licences())
  await writeFile(join(folder, 'sbom.cdx.json'), billOfMaterials())
}

/** The pages that the farm serves have the pictures also. @param {string} folder */
async function sharePictures(folder) {
  await rm(join(folder, 'docs/pictures'), { recursive: true })
  const addresses = {
    'README.md': ['docs/pictures/', 'dist/docs/pictures/'],
    'docs/app.md': ['pictures/', '../dist/docs/pictures/'],
  }
  for (const [name, [from = '', to = '']] of Object.entries(addresses)) {
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll(new RegExp(`(?<=[("])${from}`, 'g'), to))
  }
}

/** Nothing of who builds it, and of the packages only those that are not inside the program. */
function packageManifest() {
  const { name, description, license, type, engines, bin, exports, dependencies } = manifest
  const native = Object.fromEntries(nativePackages.map((one) => [one, dependencies[one]]))
  return { name, version, description, license, type, engines, bin, exports, dependencies: native }
}

/** @param {string} folder @returns {Promise<string[]>} */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** A file and all that it imports. @param {string} dist @param {string} start */
function closureOf(dist, start) {
  /** @type {Set<string>} */
  const found = new Set()
  const add = (/** @type {string} */ name) => {
    if (found.has(name) || !existsSync(join(dist, name))) return
    found.add(name)
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      const path = join(dirname(name), specifier).replace(/\.ts$/, '.js')
      add(name.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path)
    }
  }
  add(start)
  return found
}

/** @param {string} path */
async function withoutSourceMap(path) {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'))
}

/** The packages that are inside the program or installed with it, and those inside the app. */
function shippedPackages() {
  /** @type {Map<string, { version: string, license?: string, integrity?: string, dependencies?: object }>} */
  const found = new Map()
  const add = (/** @type {string} */ name) => {
    const entry = lock.packages[`node_modules/${name}`]
    if (entry === undefined || found.has(name)) return
    found.set(name, entry)
    for (const dependency of Object.keys(entry.dependencies ?? {})) add(dependency)
  }
  for (const name of Object.keys(manifest.dependencies)) add(name)
  for (const name of ['@preact/signals', 'idb', 'lean-qr', 'ol', 'preact']) add(name)
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function licences() {
  const texts = [...shippedPackages()].map(([name, { version, license }]) => {
    const folder = join(root, 'node_modules', name)
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'LICENSE-MIT'].find((one) =>
      existsSync(join(folder, one)),
    )
    const text =
      file === undefined ? `Licence: ${license ?? 'not said'}` : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version}\n\n${text}\n`
  })
  return `Furrow is made with these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}

/** @typedef {{ version: string, license?: string, integrity?: string }} ShippedPackage */

/**
 * CycloneDX 1.5, without anything that differs between two builds of one commit.
 * @param {Iterable<[string, ShippedPackage]>} more packages that an archive has besides
 */
export function billOfMaterials(more = []) {
  const components = [...shippedPackages(), ...more].map(([name, { version, license, integrity = '' }]) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
    ...(integrity.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    }),
  }))
  const { name } = manifest
  const component = { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` }
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component }, components }, null, 2)}\n`
}

/** The checksum that the lock file has of a package. @param {string} name @returns {{ version: string, integrity: string, license?: string }} */
export const lockedPackage = (name) => lock.packages[`node_modules/${name}`]

/** @param {Buffer} bytes */
export const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rolldown } from 'rolldown'
import { demoFile } from './demo.mjs'
import { otherLanguages, shortKeys, withShortKeys } from './words.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const web = join(root, 'web')

/**
 * Sheets of later rooms win over those of earlier ones. Three groups: the start of the app; forms, entries and the
 * outbox; administration.
 */
const roomsWithSheets = {
  app: ['look', 'map', 'screens'],
  later: ['forms', 'entries', 'screens/device', 'screens/import', 'map/draw'],
  owner: ['screens/setup', 'screens/people', 'screens/settings', 'screens/reports', 'screens/reports/paper'],
}

/**
 * Files that the worker does not cache: icons for installation, and screens that need signal. Languages are cached on
 * first use.
 */
const notKept =
  /^icon-\d+\.png$|^manifest\.webmanifest$|^licences\.txt$|^shared-report\.\w+$|^(?:import|owner|setup|people|settings|reports|moving|demo)-(?:\w\w-)?[\w-]{8}\.(?:js|css|json)$/

/**
 * Builds the app as the farm serves it: code chunks and three style sheets with hashed names, the page, the service
 * worker, and a list of all files. Each file also has compressed copies.
 * @param {string} dist
 */
export async function makeApp(dist) {
  const folder = join(dist, 'app')
  await mkdir(folder, { recursive: true })
  /** @type {Map<string, string | Buffer>} */
  const files = new Map()
  const short = await shortKeys()
  const languages = await otherLanguages(short)
  const demo = await readFile(demoFile)
  const nameOfDemo = `demo-${hashOf(demo)}.json`
  files.set(nameOfDemo, demo)
  const { entry, chunks, licences } = await bundleApp([shortening(short), inOtherLanguages(languages)], nameOfDemo)
  for (const [name, code] of chunks) files.set(name, code)
  /** @type {Record<string, string>} */
  const sheets = {}
  for (const [name, rooms] of Object.entries(roomsWithSheets)) {
    const sheet = await joinSheets(rooms)
    sheets[name] = `${name}-${hashOf(sheet)}.css`
    files.set(sheets[name], sheet)
  }
  files.set('app.html', await page({ entry: entry.name, sheets, first: entry.imports }))
  for (const name of await readdir(join(web, 'icons'))) files.set(name, await readFile(join(web, 'icons', name)))
  files.set('licences.txt', licences)
  files.set('manifest.webmanifest', await readFile(join(web, 'manifest.webmanifest'), 'utf8'))
  for (const [name, content] of await sharedReport()) files.set(name, content)
  files.set(
    'sw.js',
    await bundleWorker(
      files,
      [...languages.keys()].filter((name) => !name.startsWith('owner-')),
    ),
  )
  // Files that a page refers to are written before the page.
  const [lasting, others] = [[...files].filter(lasts), [...files].filter((file) => !lasts(file))]
  const list = []
  for (const some of [lasting, others]) list.push(...(await Promise.all(some.map((file) => put(folder, file)))))
  await writeFile(join(folder, 'files.json'), JSON.stringify(Object.fromEntries(list)))
  await sweepFilesOfOtherDays(folder, [...files.keys(), 'files.json'])
}

/**
 * A running server still needs the files of the previous build.
 * @param {string} folder
 * @param {readonly string[]} names
 */
async function sweepFilesOfOtherDays(folder, names) {
  for (const name of await readdir(folder)) {
    if (names.includes(name.replace(/\.(?:br|gz)$/, ''))) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > 86_400_000) await rm(join(folder, name), { force: true })
  }
}

/**
 * Chunks: the start of the app; lists and records, with what maps need of them; the choice of a record; entries;
 * the outbox; forms and animals.
 */
const chunkGroups = [
  { name: 'app', test: /\/web\/app\.tsx$/, priority: 3 },
  { name: 'screens', test: /\/web\/screens\/(?:record\/record|records\/records)\.tsx$/, priority: 2 },
  { name: 'map-screen', test: /\/web\/map\/map-screen\.tsx$/ },
  { name: 'place', test: /\/web\/(?:look\/place\/|store\/drafts\.ts)/, minShareCount: 2, priority: 3 },
  { name: 'owner', test: /\/web\/screens\/owner\//, minShareCount: 2 },
  { name: 'reference', test: /\/web\/forms\/(?:pick-record|reference)\.tsx$/, priority: 1 },
  { name: 'withheld', test: /\/web\/store\/withheld\.ts$/, priority: 1 },
  { name: 'entry', test: /\/web\/entries\/(?:entry-screen|sent-questions)\.tsx$/ },
  {
    name: 'device',
    test: /\/web\/(?:screens\/(?:device\/device|record\/changes)\.tsx|sync\/(?:restore-check|export-outbox)\.ts)$/,
  },
  { name: 'form', test: /\/web\/(?:screens\/form\/form-screen|entries\/animals-screen)\.tsx$/ },
]

/**
 * Parts of the map library that the app replaces or never needs: vector layers with styles, controls with their own
 * markup, rotation, and other projections than that of the tiles.
 * @type {Readonly<Record<string, string>>}
 */
const unused = {
  '/ol/layer/BaseVector.js': 'export default class {}',
  '/ol/control/defaults.js': 'export const defaults = () => []',
  '/ol/interaction/DragRotate.js': 'export default class {}',
  '/ol/interaction/DragZoom.js': 'export default class {}',
  '/ol/interaction/PinchRotate.js': 'export default class {}',
  '/ol/reproj/Tile.js': 'export default class {}',
  '/ol/proj/utm.js': 'export const makeProjection = () => null, makeTransforms = () => null',
}

/** @type {import('rolldown').Plugin} */
const leaveOut = {
  name: 'leave-out',
  load(id) {
    const path = Object.keys(unused).find((end) => id.endsWith(`/node_modules${end}`))
    return path === undefined ? null : { code: unused[path] ?? '', moduleSideEffects: false }
  },
}

/**
 * Children as arguments instead of a property save bytes.
 * @type {import('rolldown').TransformOptions}
 */
const elements = {
  jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
  inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
}

/** @param {ReadonlyMap<string, string>} languages @returns {import('rolldown').Plugin} */
const inOtherLanguages = (languages) => ({
  name: 'words',
  resolveId: (source) => (languages.has(source) ? { id: `/words/${source}` } : null),
  load(id) {
    const script = languages.get(/\/words\/([\w-]+)(?:\.json)?$/.exec(id)?.[1] ?? '')
    return script === undefined ? null : { code: script, moduleType: 'js' }
  },
})

/** @param {ReadonlyMap<string, string>} short @returns {import('rolldown').Plugin} */
const shortening = (short) => ({
  name: 'short-keys',
  transform: (code, id) => (/\/(?:web|src\/words\/en)\/[^?]+\.tsx?$/.test(id) ? withShortKeys(code, short) : null),
})

/** @param {readonly import('rolldown').Plugin[]} plugins @param {string} demo */
async function bundleApp(plugins, demo) {
  const app = await rolldown({
    input: { app: join(web, 'app.tsx') },
    cwd: root,
    platform: 'browser',
    transform: { target: 'es2022', define: { FILE_OF_THE_DEMO: JSON.stringify(demo) }, ...elements },
    plugins: [leaveOut, ...plugins],
    // Without inlining, a constant used by a later chunk would be exported from the first.
    optimization: { inlineConst: { mode: 'all' } },
    logLevel: 'warn',
  })
  const { output } = await app.generate({
    format: 'es',
    minify: true,
    comments: false,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: chunkGroups },
  })
  await app.close()
  const chunks = output.filter((part) => part.type === 'chunk')
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (entry === undefined) throw new Error('The app has no first chunk.')
  const named = chunks.map(({ fileName, code }) => /** @type {const} */ ([fileName, code]))
  const modules = chunks.flatMap(({ modules }) => Object.keys(modules))
  return { entry: { name: entry.fileName, imports: entry.imports }, chunks: named, licences: await licencesOf(modules) }
}

/** Licence texts of the bundled libraries. @param {readonly string[]} modules */
async function licencesOf(modules) {
  const packages = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  const texts = [...new Set(packages)].sort().map(async (folder) => {
    const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name))
    if (file === undefined) throw new Error(`${folder} comes without its licence.`)
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${await readFile(join(folder, file), 'utf8')}`
  })
  return (await Promise.all(texts)).join('\n\n')
}

/** @param {readonly string[]} rooms */
async function joinSheets(rooms) {
  const sheets = await Promise.all(rooms.map(sheetsOf))
  return sheets
    .flat()
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/(?<=[{};,])\n|\n(?=})| (?={)|(?<=^[\w-]+:|,) /gm, '')
    .replaceAll(';}', '}')
    .replace(/(?<==)"([a-z]+)"(?=])/g, '$1')
    .replace(/ ([>/]) /g, '$1')
    .replace(/(?<=\([a-z-]+:) /g, '')
    .replace(/#([\da-f])\1([\da-f])\2([\da-f])\3\b/g, '#$1$2$3')
    .replace(/(?<=[ :,(-])0(?=\.\d)/g, '')
    .trim()
}

/** @param {string} room */
async function sheetsOf(room) {
  const folder = join(web, room)
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).sort()
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

/** @param {{ entry: string, sheets: Readonly<Record<string, string>>, first: readonly string[] }} names */
async function page({ entry, sheets, first }) {
  const written = await readFile(join(web, 'app.html'), 'utf8')
  const early = first.map((name) => `<link rel="modulepreload" href="/app/${name}">\n`).join('')
  return written
    .replace(/(?<=href="|content=")(\w+)\.css(?=")/g, (_whole, name) => `/app/${sheets[name]}`)
    .replace('<script type="module" src="app.tsx">', `${early}<script type="module" src="/app/${entry}">`)
}

/** The page of a shared report: self-contained, because it works without the app. */
async function sharedReport() {
  const bundle = await rolldown({
    input: join(web, 'shared-report/shared-report.tsx'),
    cwd: root,
    platform: 'browser',
    transform: { target: 'es2022', ...elements },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'es', minify: true, comments: false, codeSplitting: false })
  await bundle.close()
  return /** @type {const} */ ([
    ['shared-report.html', await readFile(join(web, 'shared-report.html'), 'utf8')],
    ['shared-report.css', await joinSheets(['screens/reports/paper', 'shared-report'])],
    ['shared-report.js', output[0].code],
  ])
}

/**
 * The service worker contains the list of cached files and their version.
 * @param {ReadonlyMap<string, string | Buffer>} files
 * @param {readonly string[]} codes
 */
async function bundleWorker(files, codes) {
  const names = [...files.keys()]
  const languages = codes.map((code) => [code, names.find((name) => name.startsWith(`${code}-`))])
  const kept = names.filter((name) => !notKept.test(name) && languages.every(([, file]) => file !== name))
  const version = hashOf(JSON.stringify([...files].map(([name, content]) => [name, hashOf(content)])))
  const worker = await rolldown({
    input: join(web, 'worker.ts'),
    cwd: root,
    platform: 'browser',
    transform: {
      target: 'es2022',
      define: {
        FILES_OF_THE_APP: JSON.stringify(kept),
        LANGUAGES_OF_THE_APP: JSON.stringify(Object.fromEntries(languages)),
        VERSION_OF_THE_APP: JSON.stringify(version),
      },
    },
    logLevel: 'warn',
  })
  const { output } = await worker.generate({ format: 'iife', minify: true, codeSplitting: false })
  await worker.close()
  return output[0].code
}

/** @param {string | Buffer} content */
const hashOf = (content) => createHash('sha256').update(content).digest('base64url').slice(0, 8)

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

/** @typedef {readonly [name: string, content: string | Buffer]} File */

/** True if the name contains a content hash. @param {File} file */
const lasts = ([name]) => /-[\w-]{8}\.(?:js|css|json)$/.test(name)

/** Writes a file, and returns its entry in the list of files. @param {string} folder @param {File} file */
async function put(folder, [name, content]) {
  const type = types[extname(name)]
  if (type === undefined) throw new Error(`The build does not know what ${name} is.`)
  const [path, bytes] = [join(folder, name), Buffer.from(content)]
  await writeFile(path, bytes)
  const codings = type === 'image/png' ? [] : await compressed(path, bytes)
  return [name, { type, tag: hashOf(bytes), lasts: lasts([name, content]), codings }]
}

/** Zopfli saves some 4 %, and takes too long for the demo farm. @param {Buffer} content */
const denselyGzipped = async (content) =>
  content.length > 300_000 ? promisify(gzip)(content) : (await zopfli()).gzipAsync(content, { numiterations: 5 })

/** @type {Promise<typeof import('@gfx/zopfli')> | undefined} */
let loading

const zopfli = () => {
  loading ??= loadZopfli()
  return loading
}

/** The library ends the process at errors that others catch later: its listeners are taken off again. */
async function loadZopfli() {
  const events = ['uncaughtException', 'unhandledRejection']
  const before = events.flatMap((event) => process.rawListeners(event))
  const { default: library } = await import('@gfx/zopfli')
  await library.gzipAsync(Buffer.alloc(1), { numiterations: 1 })
  for (const event of events)
    for (const listener of process.rawListeners(event))
      if (!before.includes(listener)) process.off(event, /** @type {() => void} */ (listener))
  return library
}

/** A hashed name that has its copies needs no others. @param {string} path @param {Buffer} content */
async function compressed(path, content) {
  if (lasts([path, content]) && existsSync(`${path}.br`) && existsSync(`${path}.gz`)) return ['br', 'gzip']
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(`${path}.br`, bytes)),
    denselyGzipped(content).then((bytes) => writeFile(`${path}.gz`, bytes)),
  ])
  return ['br', 'gzip']
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeApp(resolve(process.argv[2] ?? 'dist'))

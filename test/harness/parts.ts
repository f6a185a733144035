import { readdirSync } from 'node:fs'

/** `npm test` runs the first part, `npm run test:rest` the other files, and every other run all of them. */
type Part = 'first' | 'rest' | 'all'

export type ProjectName = 'sqlite' | 'postgres' | 'rooms' | 'house'

/** Promises of an interface: each file runs once per engine. */
const specFolders = ['spec', 'api', 'in-and-out', 'web', 'reports']

/** Processes, browsers and whole moves: in the rest, but for `firstOfLongFolders`. */
const longFolders = ['browser', 'campaigns', 'cli', 'docs', 'operation', 'pages']

/** Their tests open no farm: a run of these alone needs neither databases nor a browser nor the built app. */
const unitFolders = ['api-floor', 'app', 'fields', 'formats', 'house', 'http', 'record-1x', 'xml']

const namesIn = (folder: string, names: string): readonly string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `test/${folder}/${name}.test.ts`)

export const firstOfLongFolders = [
  ...namesIn('browser', 'app-entry app-outbox-sending app-today'),
  ...namesIn('cli', 'farmos-wire schema server-options'),
  ...namesIn('operation', 'backup upgraded-access'),
]

/** Files of other folders that take long. Most vary what a file of the first part holds already. */
export const longFiles = [
  ...namesIn('access', 'sweeping'),
  ...namesIn('api', 'both-doors random-filters schemas'),
  ...namesIn('clients', 'farmos-js-2-0-0'),
  ...namesIn('feed', 'order listening'),
  ...namesIn(
    'in-and-out',
    `dry-run-of-anything dry-run-of-every-type dry-run-of-sheets following long-sheets maps-in moving-in moving-in-access moving-in-by-api moving-in-from-app
     moving-in-from-furrow moving-in-killed sheets-in-size sheets-round-trip`,
  ),
  ...namesIn('modules', 'every-kind'),
  ...namesIn('openapi', 'description typed-client'),
  ...namesIn('records', 'answer-size'),
  ...namesIn('reports', 'demo-season random-farm'),
  ...namesIn('rules', 'concurrency cost newer past replay'),
  ...namesIn('storage', 'busy-postgres ownership'),
  ...namesIn(
    'spec',
    `1-xml-pairs 4-dry-run 4-recorded-beside-newer 4-removal-races 4-undo-everything 5-oauth-role-scopes 7-no-input-breaks-it
     8-cost-of-reads 8-limits`,
  ),
]

/** What depends on the engine (order, transactions, locks, plans, dialect), and one pass over each interface. */
export const firstOnPostgres = [
  ...namesIn(
    'spec',
    `2-2-logs 2-3-assets 2-4-terms-by-name 2-5-areas 2-9-files 3-computed 4-1-filters 4-batch 4-changes 4-pages
     4-sets 4-undo 4-uuids 5-session 5-oauth-code 5-oauth-refresh 8-exactly-once 8-trash`,
  ),
  ...namesIn('api', 'conditions quantities writes'),
  ...namesIn('in-and-out', 'sheets-beside-writers maps-out'),
  ...namesIn('reports', 'harvest'),
  ...namesIn('web', 'me'),
]

const folderOf = (file: string): string => file.split('/')[1] ?? ''

export const needsFarm = (file: string): boolean => !unitFolders.includes(folderOf(file))

const isInFirstPart: Readonly<Record<ProjectName, (file: string) => boolean>> = {
  house: () => true,
  sqlite: (file) => !longFiles.includes(file),
  postgres: (file) => firstOnPostgres.includes(file),
  rooms: (file) =>
    longFolders.includes(folderOf(file)) ? firstOfLongFolders.includes(file) : !longFiles.includes(file),
}

const isOfProject: Readonly<Record<ProjectName, (folder: string) => boolean>> = {
  house: (folder) => folder === 'house',
  sqlite: (folder) => specFolders.includes(folder),
  postgres: (folder) => specFolders.includes(folder),
  rooms: (folder) => folder !== 'house' && !specFolders.includes(folder),
}

/** From the root of the project: each file of a project is either in the first part or in the rest. */
export function testFilesOf(project: ProjectName, part: Part): string[] {
  const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
  const own = all.filter((file) => isOfProject[project](folderOf(file)))
  return part === 'all' ? own : own.filter((file) => isInFirstPart[project](file) === (part === 'first'))
}

export function partOf(name: string | undefined): Part {
  return name === 'first' || name === 'rest' ? name : 'all'
}

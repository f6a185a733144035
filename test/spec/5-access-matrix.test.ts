import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../access/browser.ts'
import { app, basic, token } from '../access/flow.ts'
import { routesOf } from '../access/routes.ts'
import type { Client } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

/**
 * an: nobody, nr: an account without a role, vi, wo, ma: viewer, worker, manager, fi: a manager's token for farm_info,
 * mv: a manager's token for farm_viewer, cc: a client's own token for farm_worker.
 */
const principals = ['an', 'nr', 'vi', 'wo', 'ma', 'fi', 'mv', 'cc'] as const
type Principal = (typeof principals)[number]

const matrix = `
                                   an  nr  vi  wo  ma  fi  mv  cc
GET /farm                          403 200 200 200 200 200 200 200
GET /farm.json                     403 200 200 200 200 200 200 200
GET /farm.xml                      403 200 200 200 200 200 200 200
GET /me.json                       403 200 200 200 200 403 200 200
GET /catalogue.json                403 403 200 200 200 403 200 200
GET /openapi.json                  200 200 200 200 200 200 200 200
GET /docs/api                      200 200 200 200 200 200 200 200
GET /docs/api/operations/:id       200 200 200 200 200 200 200 200
GET /docs/api/schemas/:name        200 200 200 200 200 200 200 200
GET /api                           401 200 200 200 200 403 200 200
GET /api/schema 401 200 200 200 200 403 200 200
GET /api/:family/:bundle/schema 401 200 200 200 200 403 200 200
GET /api/:family/:bundle/collection/schema 401 200 200 200 200 403 200 200
GET /api/:family/:bundle/resource/schema 401 200 200 200 200 403 200 200
GET /api/:family/:bundle/resource/relationships/:name/related/schema 401 200 200 200 200 403 200 200
GET /api/{words}/schema 401 200 200 200 200 403 200 200
GET /api/user/user/schema 401 200 200 200 200 403 200 200
GET /api/file/file/schema 401 200 200 200 200 403 200 200
GET /api/{words}                   401 403 200 200 200 403 200 200
GET /api/{words}/:uuid             401 403 200 200 200 403 200 200
GET /api/user/user                 401 403 200 200 200 403 200 200
GET /api/user/user/:uuid           401 403 200 200 200 403 200 200
PATCH /api/user/user/:uuid, own    401 200 200 200 200 403 200 200
PATCH /api/user/user/:uuid, another’s 401 403 403 403 403 403 403 403
GET /api/user/user by mail         401 403 400 400 400 403 400 400
GET /api/user/user sorted by mail  401 403 400 400 400 403 400 400
GET /api/:family/:bundle           401 403 200 200 200 403 200 200
POST /api/:family/:bundle          401 403 403 201 201 403 403 201
GET /api/:family/:bundle/:uuid     401 403 200 200 200 403 200 200
PATCH /api/:family/:bundle/:uuid   401 403 403 200 200 403 403 200
DELETE /api/:family/:bundle/:uuid  401 403 403 204 204 403 403 204
GET /api/:family/:bundle/:uuid/:name 401 403 200 200 200 403 200 200
GET /api/:family/:bundle/:uuid/relationships/:name 401 403 200 200 200 403 200 200
POST /api/:family/:bundle/:uuid/relationships/:name 401 403 403 200 200 403 403 200
PATCH /api/:family/:bundle/:uuid/relationships/:name 401 403 403 200 200 403 403 200
DELETE /api/:family/:bundle/:uuid/relationships/:name 401 403 403 200 200 403 403 200
POST /api/:family/:bundle/:uuid    401 403 403 201 201 403 403 201
POST /api/:family/:bundle/:uuid/:name 401 403 403 200 200 403 403 200
GET /api/file/file                 401 403 200 200 200 403 200 200
GET /api/file/file/:uuid           401 403 200 200 200 403 200 200
GET /api/file/file/:uuid/uid       401 403 200 200 200 403 200 200
GET /api/file/file/:uuid/relationships/uid 401 403 200 200 200 403 200 200
GET /api/file/file/:uuid of an upload 401 403 404 404 404 403 404 404
PATCH /api/file/file/:uuid, own    401 403 403 200 200 403 403 200
PATCH /api/file/file/:uuid, another’s 401 403 403 403 403 403 403 403
DELETE /api/file/file/:uuid        401 403 403 403 403 403 403 403
POST /subrequests                  401 207 207 207 207 403 207 207
GET /{type}                        403 403 200 200 200 403 200 200
GET /{type}.json                   403 403 200 200 200 403 200 200
GET /{type}.xml                    403 403 200 200 200 403 200 200
GET /{type}.csv                    403 403 200 200 200 403 200 200
GET /{type}.xlsx                   403 403 200 200 200 403 200 200
GET /{type}.geojson                403 403 200 200 200 403 200 200
GET /{type}.kml                    403 403 200 200 200 403 200 200
GET /{type}/:id                    403 403 200 200 200 403 200 200
GET /{type}/:id.json               403 403 200 200 200 403 200 200
GET /{type}/:id.xml                403 403 200 200 200 403 200 200
GET /{type}/:id/history.json       403 403 200 200 200 403 200 200
GET /{type}/:id/history.json, removed 403 403 200 200 200 403 200 200
POST /{type}                       403 403 403 201 201 403 403 201
POST /{type}.json                  403 403 403 201 201 403 403 201
POST /{type}.xml                   403 403 403 201 201 403 403 201
PUT /{type}/:id                    403 403 403 200 200 403 403 200
POST /{type}/:id                   403 403 403 200 200 403 403 200
DELETE /{type}/:id                 403 403 403 200 200 403 403 200
POST /{type}/:id/revert            403 403 403 200 200 403 403 200
POST /log with a term by name      403 403 403 201 201 403 403 201
PUT /log/:id with a term by name   403 403 403 200 200 403 403 200
POST /log with a file              403 403 403 201 201 403 403 201
PUT /log/:id with a file           403 403 403 200 200 403 403 200
POST /log with an owner            403 403 403 201 201 403 403 201
POST /{type}/:id/images            403 403 403 201 201 403 403 201
POST /{type}/:id/files             403 403 403 201 201 403 403 201
POST /batch                        403 403 403 200 200 403 403 200
POST /batch of which each counts   403 403 403 200 200 403 403 200
GET /sets.json                     403 403 200 200 200 403 200 200
GET /sets/:set                     403 403 200 200 200 403 200 200
POST /changes/:set/undo, own       403 403 403 200 200 403 403 200
POST /changes/:set/undo, another’s 403 403 403 403 200 403 403 403
GET /taxonomy_vocabulary           403 403 200 200 200 403 200 200
GET /taxonomy_vocabulary.json      403 403 200 200 200 403 200 200
GET /taxonomy_vocabulary.xml       403 403 200 200 200 403 200 200
GET /taxonomy_vocabulary.csv       403 403 200 200 200 403 200 200
GET /taxonomy_vocabulary.xlsx      403 403 200 200 200 403 200 200
GET /taxonomy_vocabulary/:id       403 403 200 200 200 403 200 200
GET /file/:id                      403 403 200 200 200 403 200 200
GET /file/:id/*                    403 403 200 200 200 403 200 200
GET /farm/areas/geojson            403 403 200 200 200 403 200 200
GET /farm/areas/geojson/:areaType  403 403 200 200 200 403 200 200
GET /stays                         403 403 200 200 200 403 200 200
GET /reports/harvest.json          403 403 200 200 200 403 200 200
GET /reports/harvest.csv           403 403 200 200 200 403 200 200
GET /reports/harvest.xlsx          403 403 200 200 200 403 200 200
GET /reports/inputs.json           403 403 200 200 200 403 200 200
GET /reports/inputs.csv            403 403 200 200 200 403 200 200
GET /reports/inputs.xlsx           403 403 200 200 200 403 200 200
GET /reports/field-history.json    403 403 200 200 200 403 200 200
GET /reports/field-history.csv     403 403 200 200 200 403 200 200
GET /reports/field-history.xlsx    403 403 200 200 200 403 200 200
GET /reports/input-register.json   403 403 200 200 200 403 200 200
GET /reports/input-register.csv    403 403 200 200 200 403 200 200
GET /reports/input-register.xlsx   403 403 200 200 200 403 200 200
GET /reports/medicine-book.json    403 403 200 200 200 403 200 200
GET /reports/medicine-book.csv     403 403 200 200 200 403 200 200
GET /reports/medicine-book.xlsx    403 403 200 200 200 403 200 200
GET /reports/animals.json          403 403 200 200 200 403 200 200
GET /reports/animals.csv           403 403 200 200 200 403 200 200
GET /reports/animals.xlsx          403 403 200 200 200 403 200 200
GET /reports/comings-and-goings.json 403 403 200 200 200 403 200 200
GET /reports/comings-and-goings.csv 403 403 200 200 200 403 200 200
GET /reports/comings-and-goings.xlsx 403 403 200 200 200 403 200 200
GET /reports/field-register.json   403 403 200 200 200 403 200 200
GET /reports/field-register.csv    403 403 200 200 200 403 200 200
GET /reports/field-register.xlsx   403 403 200 200 200 403 200 200
GET /reports/inspection.json       403 403 200 200 200 403 200 200
GET /reports/inspection.zip        403 403 200 200 200 403 200 200
GET /reports/seed-register.json    403 403 200 200 200 403 200 200
GET /reports/seed-register.csv     403 403 200 200 200 403 200 200
GET /reports/seed-register.xlsx    403 403 200 200 200 403 200 200
GET /farm_asset/:id/because        403 403 200 200 200 403 200 200
GET /farm_asset/:id/because.json   403 403 200 200 200 403 200 200
GET /farm_asset/:id/because.xml    403 403 200 200 200 403 200 200
GET /taxonomy_term/:id/because     403 403 200 200 200 403 200 200
GET /taxonomy_term/:id/because.json 403 403 200 200 200 403 200 200
GET /taxonomy_term/:id/because.xml 403 403 200 200 200 403 200 200
GET /changes                       403 403 200 200 200 403 200 200
GET /changes as events             403 403 200 200 200 403 200 200
GET /changes/events                403 403 200 200 200 403 200 200
GET /user                          403 403 200 200 200 403 200 200
GET /user.json                     403 403 200 200 200 403 200 200
GET /user.xml                      403 403 200 200 200 403 200 200
GET /user.csv                      403 403 200 200 200 403 200 200
GET /user.xlsx                     403 403 200 200 200 403 200 200
GET /sheets/log/:file              403 403 200 200 200 403 200 200
GET /sheets/farm_asset/:file       403 403 200 200 200 403 200 200
GET /sheets/taxonomy_term/:file    403 403 200 200 200 403 200 200
GET /user/:id                      403 403 200 200 200 403 200 200
GET /user.json by mail             403 403 400 400 400 403 400 400
GET /user.json by password         403 403 400 400 400 403 400 400
GET /user.json sorted by mail      403 403 400 400 400 403 400 400
GET /log.json sorted by mail       403 403 400 400 400 403 400 400
GET /restws/session/token          403 200 200 200 200 403 200 200
GET /session/token                 403 200 200 200 200 403 200 200
GET /account                       403 200 200 200 200 403 403 403
POST /account/applications         403 302 302 302 302 403 403 403
POST /account/tokens/end           403 302 302 302 302 403 403 403
POST /account/sessions             403 302 302 302 302 403 403 403
POST /account/password             403 422 422 422 422 403 403 403
GET /trash                         403 403 403 200 200 403 403 200
GET /trash.json                    403 403 403 200 200 403 403 200
GET /trash/:uuid                   403 403 403 200 200 403 403 200
GET /trash/:uuid/files/:id         403 403 403 200 200 403 403 200
POST /trash/:uuid/restore          403 403 403 200 200 403 403 200
DELETE /trash/:uuid                403 403 403 403 200 403 403 403
DELETE /trash                      403 403 403 403 200 403 403 403
GET /user/logout                   403 302 302 302 302 403 302 302
POST /user/logout                  403 204 204 204 204 403 204 204
`

/** What takes a session, whoever it is that has one: `POST /account/tokens` (5-personal-tokens.test.ts). */
const bySessionOnly = ['POST /account/tokens']

/** Who reads words of a removed record, at whatever address. */
const removedRecords = { an: 'no', nr: 'no', vi: 'no', wo: 'yes', ma: 'yes', fi: 'no', mv: 'no', cc: 'yes' } as const

/** What does not ask who is there: pages and endpoints that find it out, and what anybody may see. */
const openToAll = [
  'GET /',
  'GET /.well-known/oauth-authorization-server',
  'GET /app',
  'GET /app*',
  'GET /app/manifest.webmanifest',
  'GET /app/sw.js',
  'GET /docs',
  'GET /docs*',
  'GET /docs/pictures/:name',
  'GET /furrow-setup.js',
  'GET /furrow.css',
  'GET /furrow-link.js',
  'GET /healthz',
  'GET /invitation',
  'GET /new-password',
  'GET /readyz',
  'GET /oauth/authorize',
  'GET /oauth2/authorize',
  'GET /setup',
  'GET /shared-report',
  'GET /shared-report.css',
  'GET /shared-report.js',
  'GET /user/login',
  'POST /account',
  'POST /app',
  'POST /invitation.json',
  'POST /new-password.json',
  'POST /oauth/authorize',
  'POST /oauth/introspect',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /oauth2/authorize',
  'POST /oauth2/introspect',
  'POST /oauth2/revoke',
  'POST /oauth2/token',
  'POST /setup',
  'POST /shared-report.json',
  'POST /user/login',
]

const bundles = {
  log: [
    'farm_activity',
    'farm_observation',
    'farm_input',
    'farm_harvest',
    'farm_seeding',
    'farm_transplanting',
    'farm_maintenance',
    'farm_birth',
    'farm_medical',
    'farm_soil_test',
    'farm_water_test',
  ],
  farm_asset: ['planting', 'animal', 'equipment', 'group', 'compost', 'sensor'],
  taxonomy_term: [
    'farm_areas',
    'farm_crops',
    'farm_animal_types',
    'farm_quantity_units',
    'farm_log_categories',
    'farm_materials',
    'farm_season',
    'farm_crop_families',
    'farm_soil_names',
  ],
} as const
type Type = keyof typeof bundles
const types: readonly Type[] = ['log', 'farm_asset', 'taxonomy_term']

/** The lists of the words of the catalogue. */
const words = [
  'asset_type',
  'log_type',
  'quantity_type',
  'taxonomy_vocabulary',
  'user_role',
  'flag',
  'tag_type',
  'land_type',
  'structure_type',
  'lab_test_type',
  'field_module',
].map((name) => `${name}/${name}`)

const rows = matrix
  .split('\n')
  .slice(2)
  .filter((line) => line !== '')
  .map((line) => {
    const [, operation = '', cells = ''] = /^(.*?)\s+(\d{3}(?: \d{3}){7})$/.exec(line) ?? []
    const statuses = cells.split(' ').map(Number)
    return { operation, cell: (principal: Principal) => statuses[principals.indexOf(principal)] ?? 0 }
  })

/** In a long run each caller tries each operation on every bundle; else on the next one, so that each operation meets all of them. */
function bundlesOf(type: Type, turn: number): readonly string[] {
  const all: readonly string[] = bundles[type]
  return rounds({ short: [all[turn % all.length] ?? ''], long: all })
}

const farm = await openFarm({ settings: { basicAuth: /./ } })
let admin: Client
let planting = ''
let picture = { id: '', path: '' }
let changeSet = ''
const standing: Record<string, string> = {}

const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** A body that is good for this bundle, so that only the right to send it is in question. */
function body(type: Type, bundle: string): Record<string, unknown> {
  if (type === 'taxonomy_term') return { name: `A term of ${bundle}`, vocabulary: bundle }
  if (type === 'farm_asset') {
    const needed: Record<string, object> = {
      planting: { crop: [{ name: 'Kale' }] },
      animal: { animal_type: { name: 'Goat' } },
    }
    return { name: `An asset of ${bundle}`, type: bundle, ...needed[bundle] }
  }
  const needed = /seeding|transplanting/.test(bundle) ? { asset: [{ id: planting }] } : {}
  return { name: `A log of ${bundle}`, type: bundle, timestamp: 1_700_000_000, ...needed }
}

function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${xml(item)}</item>`).join('')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, content]) => `<${name}>${xml(content)}</${name}>`)
    .join('')
}

beforeAll(async () => {
  admin = await farm.login('manager')
  planting = await admin.create('farm_asset', body('farm_asset', 'planting'))
  const pictured = await admin.create('log', { ...body('log', 'farm_activity'), images: [dot] })
  const [address] = (await admin.read('/log.json')).list.find((log: { id: string }) => log.id === pictured).images
  picture = { id: address.split('/').at(-2), path: new URL(address).pathname }
  await admin.create('taxonomy_term', {
    name: 'North',
    vocabulary: 'farm_areas',
    area_type: 'field',
    geofield: [{ geom: 'POINT (1 2)' }],
  })
  changeSet = (await admin.read('/sets.json')).sets[0].id
  for (const type of types) {
    for (const bundle of bundles[type]) standing[bundle] = await admin.create(type, body(type, bundle))
  }
})

const removedWord = 'Withdrawn-7319'
/** The addresses that tell of a removed log, which moved a planting, and of a removed term, which another log named; and those that tell nobody. */
async function addressesOfRemoved() {
  const term = await admin.create('taxonomy_term', { name: removedWord, vocabulary: 'farm_log_categories' })
  const naming = await admin.create('log', { ...body('log', 'farm_activity'), log_category: [{ id: term }] })
  await admin.put(`/log/${naming}`, { log_category: [] })
  const made = await admin.post('/log', {
    ...body('log', 'farm_activity'),
    name: removedWord,
    notes: removedWord,
    done: 1,
    asset: [{ id: planting }],
    movement: { area: [{ id: standing.farm_areas }] },
    images: [dot],
  })
  const { id } = made.body
  const { uuid, images } = await admin.read(`/log/${id}.json?with=uuid&files=link`)
  const gone = [await admin.delete(`/log/${id}`), await admin.delete(`/taxonomy_term/${term}`)]
  return {
    telling: [
      `/log/${id}/history.json`,
      `/log/${uuid}/history.json`,
      `/log/${id}/history.json?before=2`,
      `/log/${naming}/history.json`,
      `/taxonomy_term/${term}/history.json`,
      ...[made, ...gone].map(({ headers }) => `/sets/${headers.get('change-set')}.json`),
      `/farm_asset/${planting}/because.json`,
      `/farm_asset/${planting}/because.xml`,
      `/trash/${uuid}`,
      '/trash.json',
    ],
    silent: [
      '/sets.json',
      '/changes?since=0',
      `/log/${id}.json`,
      '/log.json',
      '/stays',
      `/taxonomy_term/${standing.farm_areas}/because.json`,
      `/api/log/activity/${uuid}`,
      `/api/log/activity/${uuid}?resourceVersion=id:1`,
      `/api/log/activity/${uuid}/uid?resourceVersion=id:1`,
      '/api/log/activity',
      '/api/taxonomy_term/log_category',
      new URL(images[0]).pathname,
    ],
  }
}

interface Call {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly content?: string
  readonly disposition?: string
  /** Never comes to its end. */
  readonly isStream?: true
}

/** One operation of the matrix as requests: for records, one for each bundle whose turn it is. */
async function callsOf(operation: string, turn: number, own: Headers): Promise<Call[]> {
  if (operation.includes('/undo')) return [await undoing(operation.includes('own') ? own : {})]
  if (operation.includes(' /api/')) return ofNewer(operation, own)
  if (!operation.includes('{type}')) return [await special(operation)]
  const calls: Call[] = []
  for (const type of types) {
    for (const bundle of bundlesOf(type, turn)) calls.push(await onBundle(operation, type, bundle))
  }
  return calls
}

async function onBundle(operation: string, type: Type, bundle: string): Promise<Call> {
  const [method = '', template = ''] = operation.split(' ')
  const isXml = template.endsWith('.xml')
  const isOwn = method === 'DELETE' || operation.endsWith('removed')
  const id = isOwn ? await admin.create(type, body(type, bundle)) : (standing[bundle] ?? '')
  const path = template.replace(',', '').replace('{type}', type).replace(':id', id)
  if (operation.endsWith('removed')) await admin.delete(`/${type}/${id}`)
  if (method === 'GET' && !template.includes(':id')) {
    const filter = type === 'taxonomy_term' ? 'bundle' : 'type'
    return { method, path: `${path}?${filter}=${bundle}` }
  }
  if (method === 'GET' || method === 'DELETE') return { method, path }
  if (/:id\/(images|files)$/.test(template)) {
    // Of the terms areas have files; a record takes only so many, so each call has one of its own.
    const at = await admin.create(type, body(type, type === 'taxonomy_term' ? 'farm_areas' : bundle))
    return { method, path: template.replace('{type}', type).replace(':id', at), type: 'image/gif', content: 'GIF89a' }
  }
  if (template.endsWith('/revert')) return { method, path, type: 'application/json', content: '{"revision":1}' }
  const sent = template.includes(':id') ? { name: `Changed ${bundle}` } : body(type, bundle)
  return isXml
    ? { method, path, type: 'application/xml', content: `<${type}>${xml(sent)}</${type}>` }
    : { method, path, type: 'application/json', content: JSON.stringify(sent) }
}

/** The newer interface: on every word of the catalogue, else on a log of its own. */
async function ofNewer(operation: string, own: Headers): Promise<Call[]> {
  const [method = '', template = ''] = operation.split(' ')
  if (operation.endsWith('by mail')) {
    const query = operation.includes('sorted') ? 'sort=mail' : 'filter[mail]=a@farm.example'
    return [{ method, path: `${template}?${query}` }]
  }
  if (template.includes('{words}')) {
    const lists = words.map((word) => template.replace('{words}', word).replace('/:uuid', ''))
    if (!template.includes(':uuid')) return lists.map((path) => ({ method, path }))
    const firsts = lists.map(async (path) =>
      (await admin.read(path)).data.map(({ id }: { id: string }) => `${path}/${id}`),
    )
    return (await Promise.all(firsts)).flatMap(([path]) => (path === undefined ? [] : [{ method, path }]))
  }
  if (template.endsWith('schema')) {
    return [{ method, path: template.replace(':family/:bundle', 'log/activity').replace(':name', 'uid') }]
  }
  if (template.startsWith('/api/file/file/')) return [await ofFile(operation, own)]
  if (template.startsWith('/api/user/user/') && method === 'PATCH') return [await ofUser(operation, own)]
  if (template === '/api/user/user/:uuid') {
    const { me } = (await admin.read('/api')).meta.links
    return [{ method, path: new URL(me.href).pathname }]
  }
  const log = { data: { type: 'log--activity', attributes: { name: 'A log' } } }
  const { data } = (await admin.post('/api/log/activity', log)).body
  if (method === 'POST' && /:uuid(\/:name)?$/.test(template))
    return [uploading(template.endsWith(':name') ? `/api/log/activity/${data.id}/file` : '/api/log/activity/file')]
  const path = template
    .replace(':family/:bundle', 'log/activity')
    .replace(':uuid', data.id)
    .replace(':name', method === 'GET' ? 'uid' : 'category')
  if (method === 'GET' || (path === `/api/log/activity/${data.id}` && method === 'DELETE')) return [{ method, path }]
  const sent = template.includes('relationships') ? { data: [] } : template.includes(':uuid') ? { data } : log
  return [{ method, path, type: 'application/vnd.api+json', content: JSON.stringify(sent) }]
}

const uploading = (path: string): Call => ({
  method: 'POST',
  path,
  type: 'application/octet-stream',
  content: 'A file',
  disposition: 'file; filename="a.txt"',
})

/** Of a file that a log names: that of whoever asks, where they may send one, or of another. */
async function ofFile(operation: string, own: Headers): Promise<Call> {
  const [method = '', template = ''] = operation.replace(',', '').split(' ')
  const sendFile = async (headers: Headers) => {
    const { path, content = '', type = '', disposition = '' } = uploading('/api/log/activity/file')
    const sent = { ...headers, 'content-type': type, 'content-disposition': disposition }
    return (await farm.anonymous.send('POST', path, { headers: sent, body: content })).body.data
  }
  const adminHeaders = { authorization: `Bearer ${admin.login.token}` }
  const { type, id } = (operation.endsWith('own') ? await sendFile(own) : undefined) ?? (await sendFile(adminHeaders))
  const file = { data: [{ type, id }] }
  if (!operation.endsWith('an upload') && !operation.endsWith('own'))
    await admin.post('/api/log/activity', { data: { type: 'log--activity', relationships: { file } } })
  const path = template.replace(':uuid', id)
  if (method !== 'PATCH') return { method, path }
  const content = JSON.stringify({ data: { type, id, attributes: { filename: 'b.txt' } } })
  return { method, path, type: 'application/vnd.api+json', content }
}

/** Whoever asks, where they may know who they are; else another. */
async function ofUser(operation: string, own: Headers): Promise<Call> {
  const asked = operation.endsWith('own') ? await farm.anonymous.get('/api', own) : await admin.get('/api')
  const { id } = (asked.status === 200 ? asked : await admin.get('/api')).body.meta.links.me.meta
  const content = JSON.stringify({ data: { type: 'user--user', id, attributes: { timezone: 'Europe/Berlin' } } })
  return { method: 'PATCH', path: `/api/user/user/${id}`, type: 'application/vnd.api+json', content }
}

/** Of a log that whoever asks has made, where they may; else of one that was made by another. */
async function undoing(own: Headers): Promise<Call> {
  const log = { method: 'POST', path: '/log', type: 'application/json' }
  const content = JSON.stringify(body('log', 'farm_activity'))
  const headers = { ...own, 'content-type': log.type }
  const made = await farm.anonymous.send('POST', log.path, { headers, body: content })
  const set =
    made.headers.get('change-set') ?? (await admin.post('/log', JSON.parse(content))).headers.get('change-set')
  return { method: 'POST', path: `/changes/${set}/undo` }
}

async function special(operation: string): Promise<Call> {
  const [method = '', template = ''] = operation.split(' ')
  const log = body('log', 'farm_activity')
  const json = (path: string, sent: object): Call => ({
    method,
    path,
    type: 'application/json',
    content: JSON.stringify(sent),
  })
  const form = (sent: Record<string, string>): Call => ({
    method,
    path: template,
    type: 'application/x-www-form-urlencoded',
    content: new URLSearchParams(sent).toString(),
  })
  const existing = `/log/${standing.farm_activity}`
  switch (operation) {
    case 'POST /log with a term by name':
      return json('/log', { ...log, log_category: [{ name: `New by post ${++named}` }] })
    case 'PUT /log/:id with a term by name':
      return json(existing, { log_category: [{ name: `New by put ${++named}` }] })
    case 'POST /log with a file':
      return json('/log', { ...log, images: [dot] })
    case 'PUT /log/:id with a file':
      return json(existing, { images: [dot] })
    case 'POST /log with an owner':
      return json('/log', { ...log, log_owner: [{ id: 1 }] })
    case 'POST /batch':
      return json('/batch', { operations: [{ method: 'POST', path: '/log', body: log }] })
    case 'POST /subrequests':
      return json('/subrequests?_format=json', [{ action: 'view', uri: '/api' }])
    case 'POST /batch of which each counts':
      return json('/batch', { atomic: false, operations: [{ method: 'POST', path: '/log', body: log }] })
    case 'GET /user.json by mail':
      return { method, path: '/user.json?mail=a@farm.example' }
    case 'GET /user.json by password':
      return { method, path: '/user.json?pass=x' }
    case 'GET /user.json sorted by mail':
      return { method, path: '/user.json?sort=mail' }
    case 'GET /log.json sorted by mail':
      return { method, path: '/log.json?sort=mail' }
    case 'GET /changes/events':
    case 'GET /changes as events':
      return { method, path: template, isStream: true }
    case 'POST /account/applications':
      return form({ client: 'none' })
    case 'POST /account/tokens/end':
      return form({ token: 'none' })
    case 'POST /account/sessions':
      return form({ session: 'none' })
    case 'POST /account/password':
      return form({ old: 'wrong', new: 'a new password' })
    default:
      return { method, path: pathOf(template.includes(':uuid') ? await inTrash(template) : template) }
  }
}

/** The address of a record with a photo that has been removed, or of the photo. */
async function inTrash(template: string): Promise<string> {
  await admin.delete(`/log/${await admin.create('log', { ...body('log', 'farm_activity'), images: [dot] })}`)
  const [{ uuid, files }] = (await admin.read('/trash.json?limit=1')).list
  return template.replace(':uuid', uuid).replace(':id', files[0].id)
}

let named = 0

function pathOf(template: string): string {
  if (template === '/file/:id/*') return picture.path
  if (template === '/docs/api/operations/:id') return '/docs/api/operations/createLog'
  if (template === '/docs/api/schemas/:name') return '/docs/api/schemas/log'
  if (template.startsWith('/farm_asset/:id/because')) return template.replace(':id', planting)
  if (template.startsWith('/taxonomy_term/:id/because')) return template.replace(':id', standing.farm_areas ?? '')
  if (template.startsWith('/reports/field-history')) return `${template}?area=${standing.farm_areas}`
  if (template === '/file/:id') return `/file/${picture.id}.json`
  if (template === '/sets/:set') return `/sets/${changeSet}.json`
  if (template === '/sheets/log/:file') return '/sheets/log/farm_harvest.csv'
  if (template === '/sheets/farm_asset/:file') return '/sheets/farm_asset/animal.csv'
  if (template === '/sheets/taxonomy_term/:file') return '/sheets/taxonomy_term/farm_crops.csv'
  return template.replace(':areaType', 'field').replace(':id', '1')
}

type Headers = Record<string, string>

interface Carrying {
  readonly principal: Principal
  readonly carrier: string
  headers(): Promise<Headers>
}

const roleOf = { nr: null, vi: 'viewer', wo: 'worker', ma: 'manager' } as const
type Ranked = keyof typeof roleOf
const ranked: readonly Ranked[] = ['nr', 'vi', 'wo', 'ma']

const bearerOf = async (role: (typeof roleOf)[Ranked], scope: string): Promise<Headers> => ({
  authorization: `Bearer ${(await farm.login(role, scope)).login.token}`,
})

const callers: readonly Carrying[] = [
  { principal: 'an', carrier: 'nothing', headers: async () => ({}) },
  ...ranked.map((principal) => ({
    principal,
    carrier: 'bearer',
    headers: () => bearerOf(roleOf[principal], 'user_access'),
  })),
  ...ranked.map((principal) => ({
    principal,
    carrier: 'cookie',
    async headers() {
      const { name, password } = (await farm.login(roleOf[principal])).login
      const browser = new Browser(farm)
      await browser.logIn(name, password)
      return { cookie: browser.cookie, 'x-csrf-token': (await browser.get('/restws/session/token')).text }
    },
  })),
  ...ranked.map((principal) => ({
    principal,
    carrier: 'Basic',
    async headers() {
      const { name, password } = (await farm.login(roleOf[principal])).login
      return { authorization: basic(name, password) }
    },
  })),
  { principal: 'fi', carrier: 'bearer', headers: () => bearerOf('manager', 'farm_info') },
  { principal: 'mv', carrier: 'bearer', headers: () => bearerOf('manager', 'farm_viewer') },
  {
    principal: 'cc',
    carrier: 'bearer',
    async headers() {
      const { id, secret } = await app(farm, {
        secret: true,
        grants: ['client_credentials'],
        scopes: ['farm_worker'],
        redirectUris: [],
      })
      const answer = await token(farm, {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        scope: 'farm_worker',
      })
      return { authorization: `Bearer ${answer.body.access_token}` }
    },
  },
]

/** Whatever a change would have left behind. */
const traces = () =>
  farm.installation.database.read(async (tables) => {
    const counts: Record<string, number> = {}
    for (const table of ['log', 'asset', 'term', 'file', 'blob_chunk', 'reference', 'journal'] as const) {
      const [count] = await tables
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('rows'))
        .execute()
      counts[table] = Number(count?.rows)
    }
    return counts
  })

async function statusOfStream(path: string, headers: Headers): Promise<number> {
  const abort = new AbortController()
  const sent = { ...headers, accept: 'text/event-stream' }
  const { status } = await farm.anonymous.stream(path, { headers: sent, signal: abort.signal })
  abort.abort()
  return status
}

const send = async (call: Call, headers: Headers): Promise<number> => {
  const { method, path, type, content, disposition, isStream } = call
  if (isStream) return statusOfStream(path, headers)
  const sent = {
    ...headers,
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
  }
  return (
    await farm.anonymous.send(method, path, { headers: sent, ...(content === undefined ? {} : { body: content }) })
  ).status
}

describe('spec 5: who may do what', () => {
  test.each(shareOfThisEngine(callers))('$principal with $carrier', async (caller) => {
    const { principal } = caller
    const own = await caller.headers()
    const denied: { operation: string; call: Call; expected: number }[] = []
    const allowed: typeof denied = []
    for (const [nth, { operation, cell }] of rows.entries()) {
      const expected = cell(principal)
      for (const call of await callsOf(operation, nth + callers.indexOf(caller), own))
        (expected < 400 ? allowed : denied).push({ operation, call, expected })
    }
    const wrong: string[] = []
    const judge = async ({ operation, call, expected }: (typeof denied)[number]) => {
      // Whoever has logged out comes in anew.
      const status = await send(call, call.path === '/user/logout' ? await caller.headers() : own)
      if (status !== expected) wrong.push(`${operation} (${call.path}): ${status} instead of ${expected}`)
    }
    const before = await traces()
    for (const each of denied) await judge(each)
    expect(await traces(), 'a refused request left something behind').toEqual(before)
    for (const each of allowed) await judge(each)
    expect(wrong).toEqual([])
  })

  test.each(shareOfThisEngine(callers))(
    '$principal with $carrier reads of removed records what the trash allows',
    async (caller) => {
      const headers = await caller.headers()
      const { telling, silent } = await addressesOfRemoved()
      const told: string[] = []
      for (const path of [...telling, ...silent]) {
        const { text } = await farm.anonymous.get(path, headers)
        if (text.includes(removedWord)) told.push(path)
      }
      expect(told).toEqual(removedRecords[caller.principal] === 'yes' ? telling : [])
    },
  )

  test('a farm’s description to an account without a role is short', async () => {
    const { body: info } = await (await farm.login(null)).get('/farm.json')
    expect(Object.keys(info).sort()).toEqual(['api_version', 'name', 'url', 'user'])
  })

  test('every route of the server is in the matrix or open to all', async () => {
    const spelled = rows.flatMap(({ operation }) => {
      const route = operation
        .split(' ')
        .slice(0, 2)
        .join(' ')
        .replace(',', '')
        .replace(/(:id)\.(json|xml)$/, '$1')
      return [...types, ...words].map((one) => route.replace(/\{type\}|\{words\}/, one))
    })
    const known = new Set([...spelled, ...openToAll, ...bySessionOnly])
    // What runs the farm has a matrix of its own (5-administer-matrix.test.ts).
    const routes = (await routesOf(farm)).filter((route) => !route.includes(' /administer/'))
    const unknown = routes.filter((route) => !known.has(route))
    expect(unknown.filter((route) => !isSchemaWritten(route))).toEqual([])
    for (const route of unknown) {
      const [method = '', path = ''] = route.split(' ')
      const { status } = await farm.anonymous.send(method, path.replace(':family/:bundle', 'log/activity'))
      expect([route, status]).toEqual([route, 405])
    }
  })

  /** Nobody writes a schema: whoever tries is told so. */
  const isSchemaWritten = (route: string) => !route.startsWith('GET') && route.endsWith('/schema')

  test('what is open to all does not ask who is there', async () => {
    for (const route of openToAll) {
      const [method = '', path = ''] = route.split(' ')
      const answer = await farm.anonymous.send(method, path)
      expect([route, answer.headers.get('www-authenticate')?.startsWith('Bearer') ?? false]).toEqual([route, false])
      expect(answer.status).toBeLessThan(500)
    }
  })
})

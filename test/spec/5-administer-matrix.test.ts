import { describe, expect, test } from 'vitest'
import { invite } from '../../src/access/invitations.ts'
import { hashOf } from '../../src/access/secrets.ts'
import type { Browser } from '../access/browser.ts'
import { administrator, app, basic, passwordRequest, person, stranger, token } from '../access/flow.ts'
import { routesOf } from '../access/routes.ts'
import { openFarm } from '../harness/farm.ts'

/**
 * What each route of running the farm answers to those who may: `se`, a manager's session whose password was shown lately, and `ad`, a
 * manager's token for farm_admin. Whoever else asks is refused with 403.
 */
const matrix = `
                                   se  ad
GET /administer/doctor.json        200 200
GET /administer/settings.json      200 200
GET /administer/move-in.json       200 200
POST /administer/move-in.json      409 409
POST /administer/move-in/run       409 409
GET /administer/move-in/since.json 200 200
GET /administer/move-in/report.txt 200 200
POST /administer/move-in/invitations.json 201 201
POST /administer/backup            200 403
POST /administer/confirmation      200 403
GET /administer/people.json        200 200
POST /administer/people/:id        200 200
DELETE /administer/people/:id      200 200
GET /administer/people/:id/sessions.json 200 200
DELETE /administer/people/:id/sessions 204 204
DELETE /administer/people/:id/sessions/:key 204 204
GET /administer/people/:id/applications.json 200 200
POST /administer/people/:id/password-link 201 201
GET /administer/invitations.json   200 200
POST /administer/invitations.json  201 201
DELETE /administer/invitations/:id 204 204
GET /administer/clients.json       200 200
POST /administer/clients/:id       200 200
GET /administer/clients/:id/tokens.json 200 200
DELETE /administer/clients/:id/tokens 200 200
GET /administer/events.json        200 200
PUT /administer/settings.json      200 200
GET /administer/report-links.json  200 200
POST /administer/report-links.json 201 201
DELETE /administer/report-links/:id 204 204
`

const rows = matrix
  .split('\n')
  .slice(2)
  .filter((line) => line !== '')
  .map((line) => {
    const [, operation = '', session = '', bearer = ''] = /^(.*?)\s+(\d{3}) (\d{3})$/.exec(line) ?? []
    return { operation, session: Number(session), bearer: Number(bearer) }
  })

type Headers = Record<string, string>

const farm = await openFarm({ settings: { basicAuth: /./ } })
const password = (name: string): string => `the password of ${name}`

async function bearer(role: 'manager' | 'worker' | 'viewer' | null, scope: string): Promise<Headers> {
  return { authorization: `Bearer ${(await farm.login(role, scope)).login.token}` }
}

async function session(role: 'manager' | 'worker' | 'viewer' | null): Promise<Headers> {
  const { browser } = await person(farm, role)
  return headersOf(browser)
}

async function headersOf(browser: Browser): Promise<Headers> {
  return { cookie: browser.cookie, 'x-csrf-token': (await browser.get('/restws/session/token')).text }
}

async function tokenToAdminister(): Promise<Headers> {
  const manager = await person(farm)
  const client = await app(farm, { grants: ['password'], scopes: ['farm_admin', 'user_access'], redirectUris: [] })
  const { body } = await token(farm, passwordRequest(manager, { client_id: client.id, scope: 'farm_admin' }))
  return { authorization: `Bearer ${body.access_token}` }
}

async function send(operation: string, headers: Headers): Promise<{ readonly status: number; readonly type: string }> {
  const [method = '', path = ''] = operation.split(' ')
  const { content, ...sent } = await requestOf(operation)
  const answer = await farm.anonymous.send(method, sent.path ?? path, {
    headers: { ...headers, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(content === undefined ? {} : { body: JSON.stringify(content(headers)) }),
  })
  return { status: answer.status, type: answer.body?.type ?? '' }
}

interface Sent {
  readonly path?: string
  readonly content?: (headers: Headers) => unknown
}

let asker = ''

/** A request that is good, so that only the right to send it is in question. */
async function requestOf(operation: string): Promise<Sent> {
  switch (operation) {
    case 'POST /administer/move-in.json':
      return { content: () => ({ address: 'http://127.0.0.1', user: 'hanna', password: 'green fields' }) }
    case 'POST /administer/move-in/run':
      return { content: () => ({ what: 'follow' }) }
    case 'POST /administer/move-in/invitations.json':
      return { content: () => ({ people: [] }) }
    case 'POST /administer/confirmation':
      return { content: () => ({ password: password(asker) }) }
    case 'POST /administer/people/:id':
      return { path: `/administer/people/${(await somebody()).uid}`, content: () => ({ role: 'viewer' }) }
    case 'POST /administer/invitations.json':
      return { content: () => ({ role: 'worker' }) }
    case 'DELETE /administer/invitations/:id': {
      const { id } = await invite(farm.installation, { role: 'worker', name: '', by: null })
      return { path: `/administer/invitations/${id}` }
    }
    case 'DELETE /administer/people/:id/sessions/:key': {
      const { uid, browser } = await person(farm, 'worker')
      const key = hashOf(browser.cookie.split('=')[1] ?? '')
      return { path: `/administer/people/${uid}/sessions/${key}` }
    }
    case 'POST /administer/clients/:id':
      return { path: `/administer/clients/${(await app(farm)).id}`, content: () => ({ disabled: true }) }
    case 'POST /administer/backup':
      return { content: () => ({ password: password(asker) }) }
    case 'PUT /administer/settings.json':
      return { content: () => ({ trash_days: 60 }) }
    case 'POST /administer/report-links.json':
      return { content: () => ({ report: 'harvest' }) }
    case 'DELETE /administer/report-links/:id': {
      const { body } = await (await administrator(farm)).post('/administer/report-links.json', { report: 'harvest' })
      return { path: `/administer/report-links/${body.id}` }
    }
    default:
      return inPlaceOf(operation)
  }
}

const somebody = () => stranger(farm, 'worker')

/** A request without a body, to somebody or to some client. */
async function inPlaceOf(operation: string): Promise<Sent> {
  const [, path = ''] = operation.split(' ')
  if (path.includes('/people/:id')) return { path: path.replace(':id', String((await somebody()).uid)) }
  return path.includes('/clients/:id') ? { path: path.replace(':id', (await app(farm)).id) } : {}
}

const refused: readonly (readonly [who: string, headers: () => Promise<Headers>])[] = [
  ['nobody', async () => ({})],
  ['an account without a role', () => session(null)],
  ['a viewer', () => session('viewer')],
  ['a worker', () => session('worker')],
  ['a manager’s token for user_access', () => bearer('manager', 'user_access')],
  ['a manager’s token for farm_manager', () => bearer('manager', 'farm_manager')],
  [
    'a manager’s password in every request',
    async () => {
      const { name, password } = (await farm.login('manager')).login
      return { authorization: basic(name, password) }
    },
  ],
]

describe('running the farm', () => {
  test.each(refused)('is refused to %s', async (_who, headersOfWho) => {
    const headers = await headersOfWho()
    for (const { operation } of rows)
      expect([operation, (await send(operation, headers)).status]).toEqual([operation, 403])
  })

  test('is for a manager’s session whose password was shown in the last 15 minutes', async () => {
    const manager = await person(farm)
    asker = manager.name
    const headers = await headersOf(manager.browser)
    for (const { operation, session } of rows)
      expect([operation, (await send(operation, headers)).status]).toEqual([operation, session])
    farm.setClock(farm.installation.clock() + 900)
    const others = rows.filter(({ operation }) => operation !== 'POST /administer/confirmation')
    for (const { operation } of others)
      expect([operation, await send(operation, headers)]).toEqual([
        operation,
        { status: 403, type: 'urn:furrow:refusal:unconfirmed' },
      ])
    expect((await farm.anonymous.get('/me.json', headers)).body.rights).not.toContain('administer')
    expect((await send('POST /administer/confirmation', headers)).status).toBe(200)
    expect((await farm.anonymous.get('/me.json', headers)).body.rights).toContain('administer')
  })

  test('is for a token with the scope farm_admin, which a client has only where it was given it', async () => {
    const headers = await tokenToAdminister()
    for (const { operation, bearer } of rows)
      expect([operation, (await send(operation, headers)).status]).toEqual([operation, bearer])
    expect((await farm.anonymous.get('/log.json', headers)).status).toBe(403)
    const usual = await app(farm, { grants: ['password'], redirectUris: [] })
    const manager = await person(farm)
    expect(await token(farm, passwordRequest(manager, { client_id: usual.id, scope: 'farm_admin' }))).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
  })

  test('has every route in this list', async () => {
    const routes = (await routesOf(farm)).filter((route) => route.includes(' /administer'))
    expect(routes).toEqual(rows.map(({ operation }) => operation).toSorted())
  })

  test('a password that is shown again counts as a login: too many wrong ones are refused', async () => {
    const { browser } = await person(farm)
    const headers = { ...(await headersOf(browser)), 'content-type': 'application/json' }
    const tried = async () => {
      const body = JSON.stringify({ password: 'not this one' })
      return (await farm.anonymous.send('POST', '/administer/confirmation', { headers, body })).status
    }
    expect(await tried()).toBe(400)
    const statuses = new Set<number>()
    for (let turn = 0; turn < 30; turn++) statuses.add(await tried())
    expect(statuses).toContain(429)
  })
})

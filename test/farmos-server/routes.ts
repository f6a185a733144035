import { Passwords } from './access/passwords.ts'
import { Sessions } from './access/sessions.ts'
import { tokenAnswer } from './access/token-endpoint.ts'
import { type Lifetimes, Tokens } from './access/tokens.ts'
import type { Farm } from './data/farm.ts'
import { farmInfo, farmShown } from './shapes/description.ts'
import { fileFolders, fileShown } from './shapes/records.ts'
import type { View } from './shapes/view.ts'
import { type Answer, accessDenied, fault, json, notFound, page, redirect } from './wire/answer.ts'
import { Unanswerable } from './wire/filters.ts'
import { listOf, type Ties } from './wire/list.ts'
import { parametersIn } from './wire/query.ts'
import { resources } from './wire/resources.ts'

export interface Request {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Ways {
  readonly now: () => number
  readonly lifetimes: Lifetimes
  readonly ties: Ties
  /** The module for Basic is off unless somebody switched it on, and then it is for `restws…` only. */
  readonly takesBasic: boolean
  /** 100, unless somebody has set another number. */
  readonly mostPerPage: number
  /** The folder of a host that it lies under, such as `/farm`. */
  readonly under: string
  /** How the server calls itself in links and references, where that is not how it was asked. */
  readonly ownName?: string
}

interface Viewer {
  readonly user: number
  readonly scope: string
  readonly way: 'nobody' | 'cookie' | 'token' | 'basic'
}

const nobody: Viewer = { user: 0, scope: '', way: 'nobody' }

/** What each address answers. */
export class Routes {
  readonly sessions = new Sessions()
  readonly tokens: Tokens
  readonly #passwords: Passwords
  readonly #farm: Farm
  readonly #ways: Ways

  constructor(farm: Farm, ways: Ways) {
    this.#farm = farm
    this.#ways = ways
    this.#passwords = new Passwords(farm)
    this.tokens = new Tokens(ways.now, ways.lifetimes)
  }

  answer(request: Request): Answer {
    const viewer = this.#viewerOf(request)
    const answer = this.#answerTo(request, viewer)
    if (viewer.way !== 'token' && viewer.way !== 'basic') return answer
    return { ...answer, headers: { ...answer.headers, 'Set-Cookie': this.sessions.stray() } }
  }

  #viewerOf({ headers }: Request): Viewer {
    const [, token] = /^Bearer (.*)$/i.exec(headers.authorization ?? '') ?? []
    if (token !== undefined) {
      const holder = this.tokens.holderOf(token)
      return holder === undefined ? nobody : { user: holder.user, scope: holder.scope, way: 'token' }
    }
    const session = this.sessions.of(headers.cookie)
    if (session !== undefined) return { user: session.user, scope: 'user_access', way: 'cookie' }
    return this.#ways.takesBasic ? this.#byBasic(headers.authorization) : nobody
  }

  #byBasic(authorization: string | undefined): Viewer {
    const [, encoded = ''] = /^Basic (.*)$/i.exec(authorization ?? '') ?? []
    const [name = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
    const account = /^restws/.test(name) ? this.#passwords.byGrant(name, rest.join(':')) : undefined
    return account === undefined ? nobody : { user: account.id, scope: 'user_access', way: 'basic' }
  }

  #answerTo(request: Request, viewer: Viewer): Answer {
    const { method, path, headers } = request
    const [whole = '', query = ''] = path.split(/\?(.*)/s)
    if (method === 'HEAD' || !whole.startsWith(`${this.#ways.under}/`)) return notFound()
    const where = whole.slice(this.#ways.under.length)
    if (where === '/oauth2/token' || where === '/oauth/token')
      return tokenAnswer(
        { method, authorization: headers.authorization, body: fieldsIn(request) },
        { passwords: this.#passwords, tokens: this.tokens },
      )
    if (method === 'POST') return this.#posted(where, request)
    if (where === '/user/logout') return viewer.user === 0 ? accessDenied() : this.#loggedOut(request)
    if (where === '/restws/session/token') return this.#csrfToken(request, viewer)
    const view = this.#viewFor(viewer, headers.host)
    if (where === '/farm.json') return this.#described(viewer, view)
    if (where.startsWith('/users/') || where === '/user') return viewer.user === 0 ? accessDenied() : page('Account')
    for (const place of ['public', 'private'] as const)
      if (where.startsWith(`${fileFolders[place]}/`)) return this.#file(place, where, headers.cookie)
    return this.#record(where, query, { viewer, view, accept: headers.accept ?? '' })
  }

  #base(host = ''): string {
    return this.#ways.ownName ?? `http://${host}${this.#ways.under}`
  }

  #viewFor({ user }: Viewer, host: string | undefined): View {
    return { base: this.#base(host), farm: this.#farm, viewer: user, now: this.#ways.now() }
  }

  #posted(where: string, request: Request): Answer {
    if (where === '/oauth2/revoke' || where === '/oauth/revoke') {
      this.tokens.revoke(fieldsIn(request).token ?? '')
      return json({ revoked: true })
    }
    if (where.startsWith('/users/')) return page('Account')
    if (where !== '/user/login' && where !== '/user') return notFound()
    if (request.headers['content-type']?.startsWith('application/json') === true) return accessDenied()
    const { name = '', pass = '', form_id } = fieldsIn(request)
    if (form_id !== 'user_login') return page('User account')
    const account = this.#passwords.byForm(name, pass)
    if (account === 'too many') return accessDenied()
    if (account === 'wrong') return page('Sorry, unrecognized username or password.')
    return redirect(`${this.#base(request.headers.host)}/users/${encodeURIComponent(name)}`, [
      this.sessions.begin(account.id),
    ])
  }

  #loggedOut({ headers }: Request): Answer {
    return redirect(`${this.#base(headers.host)}/`, [this.sessions.end(headers.cookie)])
  }

  #csrfToken({ headers }: Request, viewer: Viewer): Answer {
    if (viewer.user === 0) return accessDenied()
    const token = this.sessions.of(headers.cookie)?.csrf ?? 'A'.repeat(43)
    return { status: 200, headers: { 'Content-Type': 'text/plain;charset=UTF-8' }, body: token }
  }

  #hasFarmRole({ user, scope }: Viewer): boolean {
    const roles = this.#farm.accounts.find(({ id }) => id === user)?.roles ?? []
    return scope.includes('user_access') && (user === 1 || roles.some((role) => role > 2))
  }

  /** Never refused: who may not see it gets an empty list. */
  #described(viewer: Viewer, view: View): Answer {
    if (this.#hasFarmRole(viewer)) return json(farmShown(view))
    return json(viewer.scope === 'farm_info' ? farmInfo(view.farm, view.base) : [])
  }

  /** A token opens records only: a private file asks for a login, whatever else is sent. */
  #file(place: 'public' | 'private', where: string, cookies: string | undefined): Answer {
    const path = decodeURIComponent(where.slice(fileFolders[place].length + 1))
    if (place === 'private' && this.sessions.of(cookies) === undefined) return accessDenied()
    const file = this.#farm.files.find((one) => one.place === place && one.path === path)
    if (file === undefined) return notFound()
    return { status: 200, headers: { 'Content-Type': file.mime }, body: file.content }
  }

  #record(
    where: string,
    query: string,
    { viewer, view, accept }: { viewer: Viewer; view: View; accept: string },
  ): Answer {
    const [, name = '', id, extension] = /^\/(\w+)(?:\/(\d+))?(\.\w+)?\/?$/.exec(where) ?? []
    const isJson = extension === '.json' || (extension === undefined && /^application\/json/.test(accept))
    const resource = resources[name.toLowerCase()]
    if (!isJson) return notFound()
    if (name === 'file') return this.#fileRecord(id, viewer, view)
    if (resource === undefined) return name === 'node' ? fault(403) : notFound()
    if (!this.#hasFarmRole(viewer)) return name === 'log' && id !== undefined ? accessDenied() : fault(403)
    if (id !== undefined) return this.#one(resource, Number(id), view)
    try {
      return listOf({ name, resource, parameters: parametersIn(query), ...this.#ways }, view)
    } catch (error) {
      if (error instanceof Unanswerable) return error.answer
      throw error
    }
  }

  #one(resource: (typeof resources)[string], id: number, view: View): Answer {
    const row = resource.rows(view.farm).find(({ properties }) => properties[resource.idName] === id)
    if (row === undefined) return resource.missing === 'page' ? notFound() : json(resource.missing)
    if (!resource.isVisible(row.source, view)) return fault(403)
    return json(resource.shown([row.source], view)[0])
  }

  /** There is no list of files, and one that is gone is refused, not missing. */
  #fileRecord(id: string | undefined, viewer: Viewer, view: View): Answer {
    const file = this.#farm.files.find((one) => id !== undefined && one.id === Number(id))
    return file === undefined || !this.#hasFarmRole(viewer) ? fault(403) : json(fileShown(file, view))
  }
}

function fieldsIn({ headers, body }: Request): Record<string, string> {
  if (headers['content-type']?.startsWith('application/json') === true)
    return Object.fromEntries(Object.entries(JSON.parse(body)).map(([name, value]) => [name, String(value)]))
  return Object.fromEntries(new URLSearchParams(body))
}

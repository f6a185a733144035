import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isTree, type Tree } from '../../fields/place.ts'
import { Refusal } from '../../refusal.ts'
import { withoutSlash } from './address.ts'
import { type Login, tokenEnded } from './login.ts'
import type { Wire } from './wire.ts'

const filePatienceMs = 15 * 60_000

const refusing = new Set([401, 403])

/** The server that is read, as somebody who may read all of it. */
export class OtherServer {
  readonly #wire: Wire
  readonly login: Login
  /** How the server calls itself, which need not be how its operator does. */
  #ownBase = ''

  constructor(wire: Wire, login: Login) {
    this.#wire = wire
    this.login = login
  }

  get address(): string {
    return withoutSlash(this.#wire.base)
  }

  /** What the server says of itself; refused where it is none that can be read. */
  async info(): Promise<Tree> {
    const info = await this.json('/farm.json')
    if (!isTree(info)) throw tokenEnded(this.#wire.base.host)
    if (!isTree(info.resources) || typeof info.name !== 'string') {
      throw new Refusal(
        'forbidden',
        `${this.address}/farm.json does not tell what is recorded there: this account needs the role of a manager, worker or viewer there.`,
      )
    }
    if (isTree(info.user) && typeof info.user.name === 'string') this.login.knownAs(info.user.name)
    this.#ownBase = typeof info.url === 'string' ? info.url.replace(/\/$/, '') : ''
    return info
  }

  /** Whether it is a Furrow, which tells UUIDs and shows texts as they were written. */
  async isFurrow(): Promise<boolean> {
    return (await this.#get('/log.json?limit=1&with=uuid', textOf)).status === 200
  }

  async json(path: string): Promise<unknown> {
    const answer = await this.jsonIfAny(path)
    if (answer !== undefined) return answer
    throw new Refusal('forbidden', `${this.address}${path} may not be read, or is not there.`)
  }

  /** Undefined where it is not there, or not for whoever reads. */
  async jsonIfAny(path: string): Promise<unknown> {
    const { status, text } = await this.#get(path, wholeJson)
    if (status === 403 || status === 404) return undefined
    if (status === 200 && text !== noJson) return JSON.parse(text)
    const how = status === 200 ? 'with a page that is no JSON' : `with ${status}`
    throw new Refusal('conflict', `${this.address}${path} was answered ${how}: is it a farmOS 1.x?`)
  }

  /** Where a file lies on this very server; undefined for any other place. */
  pathOf(url: string): string | undefined {
    for (const base of [this.#ownBase, this.address, '']) {
      if (url.startsWith(`${base}/`)) return url.slice(base.length)
    }
    return undefined
  }

  /** Saves a file; answers false where it is not there, or not for whoever reads. */
  async download(path: string, file: string): Promise<boolean> {
    const cookie = await this.login.cookie()
    if (await this.#saved(path, file, cookie)) return true
    const another = cookie === null ? null : await this.login.cookie(cookie)
    return another !== null && this.#saved(path, file, another)
  }

  async #saved(path: string, file: string, cookie: string | null): Promise<boolean> {
    const { status } = await this.#get(
      path,
      async (answer) => {
        if (answer.status === 200 && answer.body !== null) {
          await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file, { mode: 0o600 }))
        } else await answer.body?.cancel()
        return ''
      },
      cookie === null ? {} : { cookie },
    )
    return status === 200
  }

  /** A refusal may mean that the token has ended: then another one is asked for, or there is no going on. */
  async #get(
    path: string,
    take: (answer: Response) => Promise<string>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const token = await this.login.bearer()
    const answer = await this.#asked(path, take, { ...headers, authorization: `Bearer ${token}` })
    if (!refusing.has(answer.status) || (await this.#isTaken(token))) return answer
    if (!(await this.login.renew(token))) throw tokenEnded(this.#wire.base.host)
    const renewed = await this.login.bearer()
    return this.#asked(path, take, { ...headers, authorization: `Bearer ${renewed}` })
  }

  async #isTaken(token: string): Promise<boolean> {
    const { status, text } = await this.#asked('/farm.json', textOf, { authorization: `Bearer ${token}` })
    return status === 200 && text.trim() !== '[]'
  }

  #asked(
    path: string,
    take: (answer: Response) => Promise<string>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const patience = 'cookie' in headers || path.includes('/file') ? { patienceMs: filePatienceMs } : {}
    return this.#wire.send(path, { headers, ...patience }, async (answer) => ({
      status: answer.status,
      text: await take(answer),
    }))
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

const noJson = ''

/** An answer that was cut is none: whoever throws it is asked again. */
async function wholeJson(answer: Response): Promise<string> {
  const text = await answer.text()
  if (answer.status !== 200) return text
  if (!/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return noJson
  JSON.parse(text)
  return text
}

const textOf = (answer: Response): Promise<string> => answer.text()

import { open } from 'node:fs/promises'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { Refusal } from '../../src/refusal.ts'
import { type Connection, HttpClient, RedirectElsewhere, responseText, withoutSlash } from './http-client.ts'
import {
  mayNotRead,
  noFarmOs,
  PasswordLogin,
  type SourceCredentials,
  type SourceInterface,
  type SourceLogin,
  tokenEnded,
  tokenLogin,
} from './login.ts'

const filePatienceMs = 15 * 60_000

const refusing = new Set([401, 403])

interface SourceOptions {
  /** Undefined: found out. */
  readonly spoken: SourceInterface | undefined
  readonly connection?: Connection
}

export async function sourceServerAt(
  url: URL,
  credentials: SourceCredentials,
  { spoken: wanted, connection }: SourceOptions,
): Promise<SourceServer> {
  const client = new HttpClient(url, undefined, connection)
  const spoken = wanted ?? (await interfaceOf(client))
  const login = 'token' in credentials ? tokenLogin(credentials.token) : new PasswordLogin(client, credentials, spoken)
  return new SourceServer(client, login, spoken)
}

/** Generation 1 has /farm.json, the newer ones have /api. A Furrow has both, and is read by its numbers. */
async function interfaceOf(client: HttpClient): Promise<SourceInterface> {
  const isThere = (path: string) =>
    client.send(path, {}, async (answer) => {
      await answer.body?.cancel()
      return answer.status !== 404
    })
  return (await isThere('/farm.json')) || !(await isThere('/api')) ? '1.x' : 'api'
}

/** The server being read, with an account that may read all of it. */
export class SourceServer {
  readonly #wire: HttpClient
  readonly login: SourceLogin
  readonly spoken: SourceInterface
  /** The server's own base URL, which may differ from the operator's. */
  #ownBase = ''

  constructor(wire: HttpClient, login: SourceLogin, spoken: SourceInterface) {
    this.#wire = wire
    this.login = login
    this.spoken = spoken
  }

  get address(): string {
    return withoutSlash(this.#wire.base)
  }

  /** The info record of the server; refused if it is no server that can be read. */
  info(): Promise<Tree> {
    return this.spoken === 'api' ? this.#entry() : this.#olderInfo()
  }

  /** The entry document of JSON:API. Anonymous callers get it without a link to themselves. */
  async #entry(): Promise<Tree> {
    const entry = await this.json('/api')
    const farm = isTree(entry) && isTree(entry.meta) ? entry.meta.farm : undefined
    if (!isTree(entry) || !isTree(entry.links) || !isTree(farm)) throw mayNotRead(this.address)
    if (!hasCaller(entry)) throw tokenEnded(this.#wire.base.host)
    this.#ownBase = typeof farm.url === 'string' ? farm.url.replace(/\/$/, '') : ''
    return entry
  }

  async #olderInfo(): Promise<Tree> {
    const info = await this.json('/farm.json')
    if (!isTree(info)) throw (await this.#isLoggedIn()) ? mayNotRead(this.address) : tokenEnded(this.#wire.base.host)
    if (!isTree(info.resources) || typeof info.name !== 'string') throw mayNotRead(this.address)
    if (isTree(info.user) && typeof info.user.name === 'string') this.login.knownAs(info.user.name)
    this.#ownBase = typeof info.url === 'string' ? info.url.replace(/\/$/, '') : ''
    return info
  }

  /** Everyone who is logged in gets this token, also without a role on the farm. */
  async #isLoggedIn(): Promise<boolean> {
    const headers = { authorization: `Bearer ${await this.login.bearer()}` }
    return (await this.#asked('/restws/session/token', responseText, headers)).status === 200
  }

  /** A Furrow sends UUIDs, and texts as written. */
  async isFurrow(): Promise<boolean> {
    const { status, text } = await this.#get('/log.json?limit=1&with=uuid', wholeJson)
    if (status === 200 && text === noJson) throw noFarmOs(this.address, '/log.json', 'with a page that is no JSON')
    return status === 200
  }

  async json(path: string): Promise<unknown> {
    const answer = await this.jsonIfAny(path)
    if (answer !== undefined) return answer
    throw new Refusal('forbidden', `${this.address}${path} may not be read, or is not there.`)
  }

  /** Undefined if it is missing or not readable for this account. */
  async jsonIfAny(path: string): Promise<unknown> {
    const { status, text } = await this.#get(path, wholeJson)
    if (status === 403 || status === 404) return undefined
    if (status === 200 && text !== noJson) return JSON.parse(text)
    throw noFarmOs(this.address, path, status === 200 ? 'with a page that is no JSON' : `with ${status}`)
  }

  /** The path of a file on this very server; undefined for any other place. */
  pathOf(url: string): string | undefined {
    for (const base of [this.#ownBase, this.address, '']) {
      if (url.startsWith(`${base}/`)) return url.slice(base.length)
    }
    return undefined
  }

  /** Saves a file up to a maximum size. Returns false if it is larger, missing, private, or on another host. */
  download(path: string, target: DownloadTarget): Promise<boolean> {
    return this.#downloaded(path, target).catch((error: unknown) => {
      if (error instanceof RedirectElsewhere) return false
      throw error
    })
  }

  async #downloaded(path: string, { file, most }: DownloadTarget): Promise<boolean> {
    const cookie = await this.login.cookie()
    const saved = await this.#saved(path, { file, most }, cookie)
    if (saved !== 'refused') return saved === 'whole'
    const another = cookie === null ? null : await this.login.cookie(cookie)
    return another !== null && (await this.#saved(path, { file, most }, another)) === 'whole'
  }

  async #saved(
    path: string,
    target: DownloadTarget,
    cookie: string | null,
  ): Promise<'whole' | 'too-large' | 'refused'> {
    const take = async (answer: Response) => {
      if (answer.status === 200) return (await isSaved(answer, target)) ? 'whole' : 'too-large'
      await answer.body?.cancel()
      return 'refused'
    }
    const { text } = await this.#get(path, take, cookie === null ? {} : { cookie })
    return text
  }

  /** After a refusal the token may have expired: gets a new one, or gives up. */
  async #get<T extends string>(
    path: string,
    take: (answer: Response) => Promise<T>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const token = await this.login.bearer()
    const answer = await this.#asked(path, take, { ...headers, authorization: `Bearer ${token}` })
    if (!refusing.has(answer.status) || (await this.#isTaken(token))) return answer
    if (!(await this.login.renew(token))) throw tokenEnded(this.#wire.base.host)
    const renewed = await this.login.bearer()
    return this.#asked(path, take, { ...headers, authorization: `Bearer ${renewed}` })
  }

  async #isTaken(token: string): Promise<boolean> {
    const path = this.spoken === 'api' ? '/api' : '/farm.json'
    const { status, text } = await this.#asked(path, responseText, { authorization: `Bearer ${token}` })
    if (status !== 200) return false
    return this.spoken === 'api' ? hasCaller(JSON.parse(text)) : text.trim() !== '[]'
  }

  #asked<T extends string>(
    path: string,
    take: (answer: Response) => Promise<T>,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer<T>> {
    const patience = 'cookie' in headers || path.includes('/file') ? { patienceMs: filePatienceMs } : {}
    return this.#wire.send(path, { headers, ...patience }, async (answer) => ({
      status: answer.status,
      text: await take(answer),
    }))
  }
}

function hasCaller({ meta }: Tree): boolean {
  return isTree(meta) && isTree(meta.links) && isTree(meta.links.me)
}

interface Answer<T extends string = string> {
  readonly status: number
  readonly text: T
}

interface DownloadTarget {
  readonly file: string
  readonly most: number
}

async function isSaved({ body }: Response, { file, most }: DownloadTarget): Promise<boolean> {
  const to = await open(file, 'w', 0o600)
  try {
    let bytes = 0
    for await (const piece of body ?? []) {
      bytes += piece.length
      if (bytes > most) return false
      await to.writeFile(piece)
    }
    return true
  } finally {
    await to.close()
  }
}

const noJson = ''

/** Throws on a truncated answer, which is then requested again. */
async function wholeJson(answer: Response): Promise<string> {
  const text = await responseText(answer)
  if (answer.status !== 200) return text
  if (!/\bjson\b/.test(answer.headers.get('content-type') ?? '')) return noJson
  JSON.parse(text)
  return text
}

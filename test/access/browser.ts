import type { Answer } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'

/** A person's browser as far as a test needs one: it keeps cookies and fills in forms. */
export class Browser {
  readonly #farm: FarmUnderTest
  readonly #cookies = new Map<string, string>()

  constructor(farm: FarmUnderTest) {
    this.#farm = farm
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  set cookie(header: string) {
    this.#cookies.clear()
    for (const pair of header.split('; ')) this.#keep(pair)
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('GET', path, { headers })
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('POST', path, { headers, body: new URLSearchParams(fields) })
  }

  async logIn(name: string, pass: string): Promise<Answer> {
    return this.post('/user/login', { name, pass, form_id: 'user_login' })
  }

  async #send(method: string, path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Answer> {
    const headers = this.#cookies.size === 0 ? init.headers : { cookie: this.cookie, ...init.headers }
    const answer = await this.#farm.anonymous.send(method, path, { ...init, headers })
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie)
    return answer
  }

  #keep(cookie: string): void {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
    if (/max-age=0/i.test(attributes)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** The hidden fields of the first form that has any. */
export function hiddenFields(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

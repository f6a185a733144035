/** Sends as a program with a cookie jar does, without following redirects. */
export class CookieJar {
  readonly #base: string
  readonly #cookies = new Map<string, string>()

  constructor(base: string) {
    this.#base = base
  }

  async send(method: string, address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookies.size > 0) headers.set('cookie', [...this.#cookies].map((pair) => pair.join('=')).join('; '))
    const answer = await fetch(new URL(address, this.#base), { redirect: 'manual', ...init, method, headers })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      this.#cookies.set(name, value)
    }
    return answer
  }

  /** Follows redirects with GET, as programs do after a form. */
  async follow(method: string, address: string, init: RequestInit = {}): Promise<Response> {
    let answer = await this.send(method, address, init)
    for (let hops = 0; hops < 5 && [301, 302, 303].includes(answer.status); hops += 1) {
      answer = await this.send('GET', answer.headers.get('location') ?? '')
    }
    return answer
  }
}

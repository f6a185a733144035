import { Agent, request } from 'node:http'
import { furrow } from './furrow.mjs'

/**
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string, body: any }} Answer
 * @typedef {{ body?: string | Buffer, type?: string, headers?: Record<string, string>, timeout?: number }} Sending
 */

/** An HTTP client with one credential. */
export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, noDelay: true })
  /** @type {Record<string, string>} */
  #headers
  port

  /** @param {number} port @param {string | null} token */
  constructor(port, token) {
    this.port = port
    this.#headers = token === null ? {} : { authorization: `Bearer ${token}` }
  }

  /**
   * Rejects if the connection breaks before the answer is complete.
   * @param {string} method
   * @param {string} path
   * @returns {Promise<Answer>}
   */
  send(method, path, { body, type, headers = {}, timeout = 120_000 } = /** @type {Sending} */ ({})) {
    return new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: this.port,
        agent: this.#agent,
        method,
        path,
        timeout,
        headers: {
          ...this.#headers,
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      })
      asked.on('error', reject)
      asked.on('timeout', () => asked.destroy(new Error(`no answer after ${timeout / 1000} s`)))
      asked.on('response', (answer) => {
        /** @type {Buffer[]} */
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('aborted', () => reject(new Error('the answer broke off')))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = /json\b/.test(answer.headers['content-type'] ?? '')
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: isJson ? parsed(text) : null })
        })
      })
      asked.end(body)
    })
  }

  get(/** @type {string} */ path) {
    return this.send('GET', path)
  }

  /** @param {string} method @param {string} path @param {unknown} body */
  write(method, path, body, headers = /** @type {Record<string, string>} */ ({})) {
    return this.send(method, path, { body: JSON.stringify(body), type: 'application/json', headers })
  }

  close() {
    this.#agent.destroy()
  }
}

function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const password = 'turnips and beetroot'

/** @param {string} dist @param {readonly string[]} where the options that name the farm @param {{ name: string, role: string }} account */
export async function addAccount(dist, where, { name, role }) {
  const { code, stderr } = await furrow(
    dist,
    ['user', 'add', name, '--role', role, '--password-stdin', ...where],
    password,
  )
  if (code !== 0) throw new Error(`No account for ${name}: ${stderr}`)
}

/** @param {number} port @param {string} name @returns {Promise<string>} */
export async function tokenOf(port, name, scope = 'user_access', secret = password) {
  const form = { grant_type: 'password', client_id: 'farm', username: name, password: secret, scope }
  const sender = new Client(port, null)
  const answer = await sender.send('POST', '/oauth/token', {
    body: new URLSearchParams(form).toString(),
    type: 'application/x-www-form-urlencoded',
  })
  sender.close()
  if (answer.status !== 200) throw new Error(`No token for ${name}: ${answer.text}`)
  return answer.body.access_token
}

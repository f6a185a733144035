import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from './environment.ts'
import { warn } from './terminal.ts'

/**
 * Tells systemd what state the server is in (sd_notify), where a unit of `Type=notify` asks for it. The program systemd-notify does so:
 * Node cannot write to such a socket. The unit needs `NotifyAccess=all`.
 */
export class SystemdNotifier {
  readonly #isThere: boolean
  readonly #watchdogMs: number
  #timer: NodeJS.Timeout | undefined

  constructor({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog }: Environment) {
    this.#isThere = socket !== undefined && socket !== ''
    this.#watchdogMs = this.#isThere && /^\d{4,15}$/.test(watchdog ?? '') ? Number(watchdog) / 1000 : 0
  }

  /** From now on requests are answered at this address, and systemd is told so again and again as long as they are. */
  async ready(address: string): Promise<void> {
    await this.#tell('READY=1')
    if (this.#watchdogMs === 0) return
    this.#timer = setInterval(() => void this.#giveSignOfLife(address), this.#watchdogMs / 3).unref()
  }

  async stopping(): Promise<void> {
    clearInterval(this.#timer)
    await this.#tell('STOPPING=1')
  }

  async #giveSignOfLife(address: string): Promise<void> {
    if (await isAlive(`${address}/healthz`, this.#watchdogMs / 3)) await this.#tell('WATCHDOG=1')
  }

  async #tell(state: string): Promise<void> {
    if (!this.#isThere) return
    try {
      await promisify(execFile)('systemd-notify', [state], { timeout: 5_000 })
    } catch (error) {
      warn(`systemd could not be told ${state}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** True if this server answers that it is healthy. The name in its certificate is not checked. */
function isAlive(address: string, timeout: number): Promise<boolean> {
  // Loaded only here: a start is faster without TLS.
  const { request } = process.getBuiltinModule(address.startsWith('https:') ? 'node:https' : 'node:http')
  return new Promise((resolve) => {
    const asking = request(address, { timeout, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.on('timeout', () => asking.destroy()).on('error', () => resolve(false))
    asking.end()
  })
}

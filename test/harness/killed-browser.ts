import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { expect, inject } from 'vitest'
import './browser-for-the-run.ts'
import { emptyDirectory } from './databases.ts'
import { atEndOfFile } from './end-of-file.ts'

/** A Chromium whose storage is a folder: it can be killed at any moment, and begin again with what was durable by then. */
class KilledBrowser {
  readonly #folder: string
  #process: ChildProcess | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  async begin(): Promise<BrowserContext> {
    const found = inject('browser')
    if ('advice' in found) throw new Error(found.advice)
    const port = join(this.#folder, 'DevToolsActivePort')
    await rm(port, { force: true })
    this.#process = spawn(
      found.path,
      ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${this.#folder}`, 'about:blank'],
      { detached: true, stdio: 'ignore', env: { ...process.env, ...found.variables } },
    )
    const written = () => readFile(port, 'utf8').catch(() => '')
    await expect.poll(written).toMatch(/^\d+\n/)
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${(await written()).split('\n')[0]}`)
    const [context] = browser.contexts()
    if (context === undefined) throw new Error('The browser has begun without a window.')
    return context
  }

  /** At once, with all its processes: nothing is written any more. */
  async kill(): Promise<void> {
    const ended = this.#process
    this.#process = null
    if (ended?.pid === undefined) return
    const isOver = new Promise((resolve) => ended.once('exit', resolve))
    process.kill(-ended.pid, 'SIGKILL')
    await isOver
  }
}

export async function browserToKill(): Promise<KilledBrowser> {
  const browser = new KilledBrowser(await emptyDirectory())
  atEndOfFile(() => browser.kill())
  return browser
}

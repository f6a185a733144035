import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ code: number | null, stdout: string, stderr: string }} Outcome
 *
 * @typedef {object} Server a running `furrow serve`
 * @property {string} address
 * @property {number} port
 * @property {number} pid
 * @property {Promise<number | null>} ended its exit code
 * @property {() => Promise<void>} killed once nothing is left of it
 * @property {() => Promise<number | null>} stopped its exit code, after SIGTERM
 * @property {() => string} complaints what it wrote to standard error
 *
 * @typedef {object} Start
 * @property {readonly string[]} [before] the program and arguments that start node, such as `strace`
 * @property {readonly string[]} [node] options of node
 * @property {(line: string) => void} [heard] every line of the request log
 */

const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FURROW_')))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130))

/** Runs one command to its end. @param {string} dist @param {readonly string[]} args @returns {Promise<Outcome>} */
export async function furrow(dist, args, input = '') {
  const child = spawn(process.execPath, [join(dist, 'main.cjs'), ...args], { env: environment })
  running.add(child)
  const outcome = { code: /** @type {number | null} */ (null), stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    outcome.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    outcome.stderr += text
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  running.delete(child)
  outcome.code = code
  return outcome
}

/** A starting server; it may be killed before it listens. @param {string} dist @param {readonly string[]} args */
export function startServing(dist, args, { before = [], node = [], heard = () => {} } = /** @type {Start} */ ({})) {
  const [program = '', ...words] = [...before, process.execPath, ...node, join(dist, 'main.cjs'), 'serve', ...args]
  const child = spawn(program, words, { env: { ...environment, FURROW_PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints = (complaints + text).slice(-10_000)
  })
  /** @type {Promise<number | null>} */
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code
  })
  /** @type {Promise<string>} */
  const listens = new Promise((resolve, reject) => {
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [, found] = /listens at (http:\S+)/.exec(line) ?? []
        if (found !== undefined) resolve(found)
        else if (line.startsWith('{')) heard(line)
      }
    })
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${complaints}`)))
  })
  listens.catch(() => {})
  return { child, ended, listens, complaints: () => complaints }
}

/** Starts a server and waits until it listens. @param {string} dist @param {readonly string[]} args @returns {Promise<Server>} */
export async function serve(dist, args, start = /** @type {Start} */ ({})) {
  const { child, ended, listens, complaints } = startServing(dist, args, start)
  const address = await listens
  const own = child.pid ?? 0
  return {
    address,
    port: Number(new URL(address).port),
    pid: childOf(own),
    ended,
    complaints,
    async killed() {
      child.kill('SIGKILL')
      await ended
    },
    stopped() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** The child of a wrapper such as `strace`; the server itself starts none. */
function childOf(/** @type {number} */ pid) {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return Number(child) || pid
  } catch {
    return pid
  }
}

/** Private memory in MiB, without mapped database files, if the system provides it (Linux). */
export function ownMebibytes(/** @type {number} */ pid) {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}

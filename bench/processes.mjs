import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../build/free-port.mjs'

/**
 * @typedef {object} Running
 * @property {number} port
 * @property {number} startMilliseconds from the start of the process to its first answer
 * @property {number | null} startCpuMilliseconds what that took of the processor: steadier where others use it too
 * @property {() => number | null} cpuSeconds
 * @property {() => number | null} residentMegabytes
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server that is told its port, and waits for its first answer.
 * @param {readonly string[]} args of node
 * @param {{ probe: string, databaseCpu?: () => number | null }} about
 * @returns {Promise<Running>}
 */
export async function startServer(args, { probe, databaseCpu = () => 0 }) {
  const port = await freePort()
  const began = performance.now()
  const nowhere = openSync('/dev/null', 'w')
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { stdio: ['ignore', nowhere, 'inherit'] }
  const child = spawn(
    process.execPath,
    args.map((word) => word.replace('PORT', String(port))),
    options,
  )
  closeSync(nowhere)
  const killed = () => void child.kill()
  process.once('exit', killed)
  const ended = once(child, 'exit')
  await firstAnswer({ port, probe }, child)
  const pid = child.pid ?? 0
  const startCpu = cpuOf(pid)
  return {
    port,
    startMilliseconds: performance.now() - began,
    startCpuMilliseconds: startCpu === null ? null : startCpu * 1000,
    cpuSeconds: () => added(cpuOf(pid), databaseCpu()),
    residentMegabytes: () => residentOf(pid),
    async stop() {
      process.off('exit', killed)
      child.kill('SIGTERM')
      await ended
    },
  }
}

const added = (/** @type {number | null} */ one, /** @type {number | null} */ other) =>
  one === null || other === null ? null : one + other

/**
 * Asks only once the port is open, so that waiting costs little while the server starts. The server first opens it for a
 * moment, to see whether it is free.
 * @param {{ port: number, probe: string }} question
 * @param {import('node:child_process').ChildProcess} child
 */
async function firstAnswer({ port, probe }, child) {
  while (!(await isOpen(port)) || !(await answers(`http://127.0.0.1:${port}${probe}`))) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode} before it answered`)
    await sleep(5)
  }
}

/** @param {string} url */
const answers = (url) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer()).byteLength >= 0,
    () => false,
  )

/** @param {number} port @returns {Promise<boolean>} */
const isOpen = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (/** @type {boolean} */ open) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })

const ticksPerSecond = (() => {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK']))
  } catch {
    return 100
  }
})()

/** Columns of /proc/PID/stat (Linux): the process's own time, and that of its ended children. */
const ownTime = 11
const endedChildrensTime = 13

/** User and system time, if the system provides it. @param {number | string} pid @param {number} at */
function secondsOf(pid, at) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond
  } catch {
    return null
  }
}

const cpuOf = (/** @type {number | string} */ pid) => secondsOf(pid, ownTime)

/** CPU time of all ended children of this process. */
export const cpuOfEndedChildren = () => secondsOf('self', endedChildrensTime)

/** CPU time of a process and all its children, also ended ones. */
export function cpuOfFamily(/** @type {number} */ parent) {
  const own = added(cpuOf(parent), secondsOf(parent, endedChildrensTime))
  if (own === null) return null
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
  return children.reduce((sum, child) => sum + (cpuOf(child) ?? 0), own)
}

function parentOf(/** @type {string} */ pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function residentOf(/** @type {number} */ pid) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

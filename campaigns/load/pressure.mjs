import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./crowd.mjs').Tally} Tally */

export function startCrowd() {
  const child = fork(fileURLToPath(new URL('crowd.mjs', import.meta.url)))
  return {
    /** @param {import('./crowd.mjs').Job} job @returns {Promise<Tally>} */
    async drive(job) {
      child.send(job)
      const [tally] = await once(child, 'message')
      return tally
    },
    stop: () => child.disconnect(),
  }
}

/** Number of successful answers. @param {Tally} tally */
export const answered = ({ reads, writes }) => reads.count + writes.count

/** @param {Tally} tally */
export const isClean = ({ statuses }) => Object.keys(statuses).every((status) => /^2\d\d$/.test(status))

/**
 * Requests per second of a warm server.
 * @param {ReturnType<typeof startCrowd>} crowd
 * @param {{ port: number, token: string, seed: number, logs: number }} job
 * @param {number} milliseconds
 */
export async function capacityOf(crowd, job, milliseconds) {
  const flood = { ...job, connections: 32, milliseconds, perSecond: 0 }
  await crowd.drive(flood)
  const tally = await crowd.drive(flood)
  return answered(tally) / tally.seconds
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../ground/client.mjs'

/** The usual time of a read, in milliseconds. */
const usual = 150

/**
 * Requests /healthz ten times a second, on a new connection each time, from an idle process.
 * @param {number} port
 * @param {number} tolerance
 */
export function watchHealth(port, tolerance) {
  const client = new Client(port, null)
  const seen = { worst: 0, failures: 0 }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      const status = await client
        .send('GET', '/healthz', { timeout: 10_000 * tolerance, headers: { connection: 'close' } })
        .then(
          (answer) => answer.status,
          () => 0,
        )
      if (status !== 200) seen.failures += 1
      seen.worst = Math.max(seen.worst, performance.now() - began)
      await sleep(100)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      client.close()
      return seen
    },
  }
}

/**
 * Time until ten requests in a row are answered as usual.
 * @param {{ port: number, token: string }} to
 * @param {number} tolerance
 */
export async function recoveryOf({ port, token }, tolerance) {
  const client = new Client(port, token)
  const began = performance.now()
  for (let inRow = 0; inRow < 10 && performance.now() - began < 60_000; ) {
    const sent = performance.now()
    const { status } = await client.get('/log/1.json')
    inRow = status === 200 && performance.now() - sent < usual * tolerance ? inRow + 1 : 0
    if (inRow === 0) await sleep(50)
  }
  client.close()
  return performance.now() - began
}

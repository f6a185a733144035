import { setTimeout as sleep } from 'node:timers/promises'
import { startServing } from '../ground/furrow.mjs'
import { newFarm } from './farm.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

const longestStop = 10_000
const stops = 5

/**
 * SIGTERM under load, several times: requests in flight are answered, and the exit code is 0.
 * @param {Campaign} campaign
 */
export async function stopUnderLoad(campaign) {
  const farm = await (await newFarm(campaign, 'sigterm')).start()
  let longest = 0
  let underWay = 0
  for (let stop = 1; stop <= stops; stop++) {
    const stopped = await stopOnce(campaign, farm, `term${stop}`)
    longest = Math.max(longest, stopped.took)
    underWay += stopped.underWay
  }
  await farm.examine('after SIGTERM')
  return { farm, took: Math.round(longest), underWay }
}

/** @param {Campaign} campaign @param {import('./farm.mjs').Farm} farm @param {string} name */
async function stopOnce({ findings }, farm, name) {
  const before = farm.ledger.acknowledged
  const busy = farm.writers(8, name)
  await farm.untilAcknowledged(50, before)
  const underWay = busy
    .filter(({ writer }) => writer.sentAt > 0)
    .map(({ writer }) => ({ writer, sentAt: writer.sentAt, acknowledged: writer.acknowledged }))
  // Requests sent during closing may be refused; earlier ones must not be.
  await sleep(20)
  const stillUnderWay = underWay.filter(({ writer, sentAt }) => writer.sentAt === sentAt)
  const began = performance.now()
  const code = await farm.server.stopped()
  const took = performance.now() - began
  for (const { writer } of busy) writer.stop()
  await Promise.all(busy.map(({ ended }) => ended))
  const unheard = stillUnderWay.filter(({ writer, acknowledged }) => writer.acknowledged === acknowledged).length
  findings.check(code === 0, `after SIGTERM the server ended with ${code}: ${farm.server.complaints()}`)
  findings.check(took < longestStop, `after SIGTERM the server took ${Math.round(took)} ms to end`)
  findings.check(unheard === 0, `after SIGTERM ${unheard} writes that were under way got no answer`)
  await farm.start()
  return { took, underWay: stillUnderWay.length }
}

/**
 * A second server on the same folder is refused, and the first goes on.
 * @param {Campaign} campaign
 * @param {import('./farm.mjs').Farm} farm
 */
export async function secondServer({ dist, findings }, farm) {
  const { child, listens, ended, complaints } = startServing(dist, farm.where)
  const listened = await listens.then(
    () => true,
    () => false,
  )
  if (listened) child.kill('SIGKILL')
  const code = await ended
  findings.check(!listened, 'a second server on the same folder began to serve')
  findings.check(
    listened || (code !== 0 && /another server/i.test(complaints())),
    () => `a second server ended with ${code}: ${complaints()}`,
  )
  const { status } = await farm.client.get('/log.json?limit=1')
  findings.check(status === 200, `beside a second server the first answered ${status}`)
}

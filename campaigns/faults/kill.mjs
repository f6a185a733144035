import { setTimeout as sleep } from 'node:timers/promises'
import { newFarm } from './farm.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('./farm.mjs').Farm} Farm
 */

const leastAcknowledged = 50
const leastInFlight = 4
const writers = 8
/** Limits the time of each check. */
const roundsOnOneFarm = 20

/**
 * Kills the server with SIGKILL during writes, again and again, and checks what is left.
 * @param {Campaign} campaign
 * @param {number} most rounds
 */
export async function killRounds(campaign, most) {
  const figures = { rounds: 0, acknowledged: 0, unanswered: 0, inFlight: Number.POSITIVE_INFINITY }
  let farm = await (await newFarm(campaign, 'kill-0')).start()
  let longest = 0
  while (figures.rounds < most && campaign.secondsLeft() > longest) {
    const began = performance.now()
    if (figures.rounds > 0 && figures.rounds % roundsOnOneFarm === 0) {
      await farm.examine(`at the end of ${roundsOnOneFarm} rounds`)
      await farm.stop()
      farm = await (await newFarm(campaign, `kill-${figures.rounds}`)).start()
    }
    figures.rounds += 1
    const round = await killOnce(campaign, farm, figures.rounds)
    figures.acknowledged += round.acknowledged
    figures.unanswered += round.unanswered
    figures.inFlight = Math.min(figures.inFlight, round.inFlight)
    longest = Math.max(longest, (performance.now() - began) / 1000)
    if (figures.rounds % 10 === 0) campaign.tell(`${figures.rounds} kills, ${figures.acknowledged} acknowledged writes`)
    if (campaign.findings.count > 0) break
  }
  await farm.examine('after the last round')
  await farm.stop()
  return figures
}

/** @param {Campaign} campaign @param {Farm} farm @param {number} round */
async function killOnce({ dice, findings }, farm, round) {
  const before = farm.ledger.acknowledged
  const earlier = farm.ledger.entries.length
  const busy = farm.writers(writers, `k${round}`)
  await farm.untilAcknowledged(leastAcknowledged, before)
  await sleep(dice.roll() * 150)
  let inFlight = 0
  // The moment is random, but enough writes must be in flight.
  for (let tries = 0; inFlight < leastInFlight && tries < 10_000; tries++) {
    inFlight = busy.filter(({ writer }) => writer.sentAt > 0).length
    if (inFlight < leastInFlight) await sleep(0)
  }
  const killed = farm.server.killed()
  await killed
  for (const { writer } of busy) writer.stop()
  await Promise.all(busy.map(({ ended }) => ended))
  const acknowledged = farm.ledger.acknowledged - before
  findings.check(inFlight >= leastInFlight, `round ${round}: only ${inFlight} writes were under way`)
  await farm.start()
  const old = farm.ledger.entries.slice(0, earlier)
  const sample = dice.some(old, 60)
  const unanswered = await farm.examine(`after kill ${round}`, [...farm.ledger.entries.slice(earlier), ...sample])
  return { acknowledged, unanswered, inFlight }
}

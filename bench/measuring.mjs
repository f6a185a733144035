import { drive } from './driving.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./driving.mjs').Figures} Figures
 * @typedef {import('./cases.mjs').Case} Case
 *
 * @typedef {object} Measuring
 * @property {ReturnType<typeof import('./driving.mjs').startClient>} client
 * @property {(target: Target, one: Case) => boolean} takesPart
 * @property {(target: Target) => ReadonlyMap<string, string>} expectedOf the right answers, by path
 * @property {(target: Target) => import('./cases.mjs').Ask[]} [asksOf] where each server is asked for other records
 * @property {number} rounds
 * @property {number} milliseconds of one round
 * @property {number} warmSeconds of processor time before the first round
 * @property {boolean} [isWarm] whether reads have been warmed up already
 * @property {number} connections
 * @property {(name: string) => Case | undefined} [caseNamed] where some are compared with others
 * @property {(target: Target, one: Case) => boolean} [isAside] whether nothing depends on what this server does here
 * @property {{ rounds?: number, warmSeconds?: number }} [aside] what is other for these
 *
 * @typedef {object} Measured
 * @property {Case} case
 * @property {Map<string, Figures[]>} figures every round of every server
 * @property {Map<string, Figures[]>} others the same of the case that it is compared with, taken in between
 */

/**
 * Drives the servers in turn, round after round, so that noise hits all of them alike.
 * @param {Target[]} targets
 * @param {Case} one
 * @param {Measuring} how
 * @returns {Promise<Measured>}
 */
export async function measure(targets, one, how) {
  const taking = targets.filter((target) => how.takesPart(target, one))
  /** @returns {Map<string, Figures[]>} */
  const noFigures = () => new Map(taking.map(({ name }) => [name, []]))
  const [figures, others] = [noFigures(), noFigures()]
  const other = one.of === undefined ? undefined : how.caseNamed?.(one.of)
  const isWarm = how.isWarm && changesNothing(one)
  // Other cases may have evicted the server's caches meanwhile.
  const rewarming = isWarm ? { warmSeconds: 0.05 } : {}
  for (const target of taking) await warmUp(target, one, { ...howFor(target, one, how), ...rewarming })
  if (other) for (const target of taking) if (!how.takesPart(target, other)) await warmUp(target, other, how)
  for (let round = 0; round < how.rounds; round++) {
    const driven = taking.filter((target) => round < howFor(target, one, how).rounds)
    for (const target of round % 2 === 0 ? driven : driven.toReversed()) {
      figures.get(target.name)?.push(await drive(how.client, target, loadOf(target, one, how)))
      if (other) others.get(target.name)?.push(await drive(how.client, target, loadOf(target, other, how)))
    }
  }
  return { case: one, figures, others }
}

/** @param {Target} target @param {Case} one @param {Measuring} how @returns {Measuring} */
export const howFor = (target, one, how) => (how.isAside?.(target, one) ? { ...how, ...how.aside } : how)

export const changesNothing = (/** @type {Case} */ { kind }) => kind === 'read' || kind === 'unchanged'

/** @param {Target} target @param {Case} one @param {Measuring} how */
const loadOf = (target, one, { expectedOf, asksOf, connections, milliseconds }) => ({
  case: { ...one, asks: asksOf?.(target) ?? one.asks },
  expected: expectedOf(target),
  connections: one.connections ?? connections,
  milliseconds,
})

/**
 * Hot code must be compiled first. That takes processor time, so warm-up is measured in it.
 * @param {Target} target
 * @param {Case} one
 * @param {Measuring} how
 * @returns {Promise<number>} how many requests that were
 */
export async function warmUp(target, one, how) {
  const load = { ...loadOf(target, one, how), milliseconds: 100 }
  const seconds = how.warmSeconds * (target.warmth ?? 1) * (one.warmth ?? 1)
  const began = target.running.cpuSeconds()
  const patience = performance.now() + 10_000 * seconds
  let requests = 0
  for (let used = 0; used < seconds && performance.now() < patience; ) {
    requests += (await drive(how.client, target, load)).requests
    const now = target.running.cpuSeconds()
    used = now === null || began === null ? used + load.milliseconds / 1000 : now - began
  }
  return requests
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** @param {readonly Figures[]} rounds @returns {Figures} */
export function typical(rounds) {
  const requests = rounds.reduce((sum, one) => sum + one.requests, 0)
  const isKnown = rounds.every(({ cpu }) => cpu !== null)
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    // The system counts in hundredths of a second: only the sum of all rounds is exact enough.
    cpu: isKnown ? rounds.reduce((sum, one) => sum + (one.cpu ?? 0) * one.requests, 0) / requests : null,
    requests,
    sentAway: rounds.reduce((sum, one) => sum + one.sentAway, 0),
  }
}

/**
 * The ratio of throughput, by time and by CPU time; rounds are compared pairwise.
 * @param {readonly Figures[]} rounds
 * @param {readonly Figures[]} others
 */
export function ratios(rounds, others) {
  const pairs = rounds.flatMap((one, n) => (others[n] === undefined ? [] : [[one, others[n]]]))
  const [own, other] = [typical(rounds), typical(others)]
  return {
    rate: median(pairs.map(([one, against]) => (one?.rate ?? 0) / (against?.rate ?? 1))),
    cpu: own.cpu === null || other.cpu === null ? null : other.cpu / own.cpu,
  }
}

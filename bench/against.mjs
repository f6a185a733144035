import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { optionsOfStart } from '../build/program.mjs'
import { casesOf } from './cases.mjs'
import { buildOf } from './commit.mjs'
import { answerOf, startClient } from './driving.mjs'
import { planFarm } from './farm.mjs'
import { startProgram } from './farms.mjs'
import { fill } from './filling.mjs'
import { answersTo } from './floor-store.mjs'
import { changesNothing, measure, median, ratios, typical, warmUp } from './measuring.mjs'
import { microseconds, ratio, rounded, table, when, writeSection } from './report.mjs'
import { againstSection } from './sections.mjs'

/**
 * @typedef {import('./measuring.mjs').Measured} Measured
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./arguments.mjs').Wishes} Wishes
 */

const logCount = 10_000
const allowed = 0.95
/** Of `--gate`, on a quiet machine. */
const allowedByGate = 0.9
const present = 'now'
/** V8 optimises the same code differently in each process, so each program is started several times. */
const starts = 3
/** Warm-up factor: two programs reach full speed at different times, and differences of a few per cent matter. */
const warmth = 3

/**
 * Compares the current src with an earlier commit on SQLite, side by side.
 * @param {string} dist
 * @param {Wishes} wishes
 * @param {string} place
 */
export async function compareWithCommit(dist, wishes, place) {
  const plan = planFarm(logCount)
  const earlier = await buildOf(wishes.against ?? 'HEAD', join(place, 'commit'))
  const programs = [earlier, { name: present, main: join(dist, 'main.cjs'), nodeOptions: optionsOfStart() }]
  const cases = casesOf(plan).filter(({ grown, newer, name }) => !grown && !newer && wishes.wants(name))
  const planted = new Map(programs.map(({ name }) => [name, join(place, `farm of ${name}`)]))
  for (const program of programs) await fill(program, planted.get(program.name) ?? '', plan)
  const client = startClient()
  /** @type {Map<string, Measured>} */
  const measured = new Map()
  /** @type {Set<string>} */
  const others = new Set()
  try {
    for (let start = 1; start <= starts; start++) {
      /** @type {Target[]} */
      const targets = []
      try {
        for (const program of programs) {
          const data = join(place, `${program.name}, start ${start}`)
          await cp(planted.get(program.name) ?? '', data, { recursive: true })
          targets.push(await startProgram(program, { name: program.name, data }))
        }
        const [rounds, warmSeconds] = [Math.ceil(wishes.rounds / starts), wishes.warmSeconds * warmth]
        const how = { ...wishes, rounds, warmSeconds, client }
        for (const one of await measureAll(targets, cases, how)) {
          addTo(measured, one.measured)
          if (one.isOther) others.add(one.measured.case.title)
        }
      } finally {
        for (const { running } of targets) await running.stop()
      }
      console.log(`Measured ${start} of ${starts} times`)
    }
    return report([...measured.values()], { wishes, earlier: earlier.name, others: [...others] })
  } finally {
    client.stop()
  }
}

/**
 * @param {Target[]} targets
 * @param {import('./cases.mjs').Case[]} all
 * @param {Wishes & { client: ReturnType<typeof startClient> }} wishes
 */
async function measureAll(targets, all, wishes) {
  const cases = await knownToAll(targets, all)
  const answers = new Map()
  for (const target of targets) answers.set(target.name, await answersTo(target, cases))
  const expectedOf = (/** @type {Target} */ { name }) => answers.get(name)
  const how = { ...wishes, takesPart: () => true, expectedOf, isWarm: true }
  const reads = cases.filter(changesNothing)
  for (const one of Array.from({ length: wishes.warmTimes }, () => reads).flat())
    for (const target of targets) await warmUp(target, one, how)
  const compared = []
  for (const one of cases) {
    const measured = await measure(targets, one, how)
    compared.push({ measured, isOther: answersOtherwise(one, [...answers.values()]) })
  }
  return compared
}

/** New cases cannot be compared. @param {Target[]} targets @param {import('./cases.mjs').Case[]} cases */
async function knownToAll(targets, cases) {
  const known = []
  for (const one of cases) {
    const asks = one.kind === 'read' ? one.asks : []
    const answers = await Promise.all(targets.flatMap((target) => asks.map((ask) => answerOf(target, ask))))
    const isKnown = answers.every(({ status }, index) => status === asks[index % asks.length]?.status)
    if (isKnown) known.push(one)
    else console.log(`Left out, because it is new: ${one.title}`)
  }
  return known
}

/** @param {Map<string, Measured>} all @param {Measured} more */
function addTo(all, more) {
  const known = all.get(more.case.name)
  if (known === undefined) all.set(more.case.name, more)
  else for (const [name, figures] of more.figures) known.figures.get(name)?.push(...figures)
}

/** @param {import('./cases.mjs').Case} one @param {ReadonlyMap<string, string>[]} answers */
const answersOtherwise = ({ kind, asks }, answers) =>
  kind === 'read' && asks.some(({ path }) => new Set(answers.map((own) => timeless(own.get(path) ?? ''))).size > 1)

/** The two farms were not filled in the same second. */
const timeless = (/** @type {string} */ body) => body.replace(/(created|changed)\W+\d{10}/g, '$1')

/**
 * Each start is a run of its own: the median leaves out one that something else disturbed.
 * @param {readonly import('./driving.mjs').Figures[]} after the rounds of all starts, one after the other
 * @param {readonly import('./driving.mjs').Figures[]} before
 */
function medianOfStarts(after, before) {
  const rounds = after.length / starts
  const runs = Array.from({ length: starts }, (_, run) => [run * rounds, (run + 1) * rounds])
  return median(runs.map(([from, to]) => ratios(after.slice(from, to), before.slice(from, to)).cpu ?? 0))
}

/**
 * @param {Measured[]} measured
 * @param {{ wishes: Wishes, earlier: string, others: string[] }} about
 */
function report(measured, { wishes, earlier, others }) {
  const headings = ['case', earlier, present, 'ratio', `${earlier} CPU µs`, `${present} CPU µs`, 'by CPU']
  /** @type {string[]} */
  const missed = []
  const rows = measured.map(({ case: one, figures }) => {
    const [before = [], after = []] = [figures.get(earlier), figures.get(present)]
    const [was, is, compared] = [typical(before), typical(after), ratios(after, before)]
    // Without a gate it fails only if both are low: on a busy machine either one alone can be noise.
    const cpu = wishes.gate ? medianOfStarts(after, before) : (compared.cpu ?? 0)
    if (wishes.gate ? cpu < allowedByGate : compared.rate < allowed && cpu < allowed)
      missed.push(`${one.title}: ${ratio(compared.rate)} of ${earlier}, ${ratio(cpu)} by CPU`)
    return [
      one.title,
      rounded(was.rate),
      rounded(is.rate),
      ratio(compared.rate),
      microseconds(was.cpu),
      microseconds(is.cpu),
      ratio(cpu),
    ]
  })
  const notes = others.map((title) => `${title}: the two do not answer the same.`)
  const text = [table([headings, ...rows], 1), ...notes].join('\n\n')
  console.log(`\n${text}\n`)
  if (wishes.isWhole) {
    const all = measured.map(({ case: one, figures }) => {
      const { cpu } = ratios(figures.get(present) ?? [], figures.get(earlier) ?? [])
      return /** @type {const} */ ([one.title, cpu])
    })
    writeSection('Against an earlier commit', againstSection(all, { earlier, when: when() }))
  }
  const figures = measured.map(({ case: { name }, figures: own }) => [name, Object.fromEntries(own)])
  return { missed, figures: { against: Object.fromEntries(figures) } }
}

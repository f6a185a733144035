import { FarmsDiffer } from '../../programs/move-in/findings.ts'
import { nearestTo } from '../fields/suggestions.ts'
import { Refusal } from '../refusal.ts'
import { CannotOpen } from '../storage/disk/cannot-open.ts'
import { isDamage } from '../storage/doctor/engine-soundness.ts'
import { newest } from '../storage/migrations/migrations.ts'
import { isTroubleOfADisk } from '../storage/sql/errors.ts'
import { commit, version } from '../version.ts'
import { readArguments } from './arguments.ts'
import { type Command, Misuse } from './command.ts'
import { commands } from './commands.ts'
import { type Environment, isVariableMeant, unknownVariables } from './environment.ts'
import { type Option, type Options, variableOf } from './option.ts'
import { say, warn } from './terminal.ts'

/**
 * Runs one command line and returns the exit code: 0 done, 1 refused, 2 wrong command line, 3 done with differences.
 */
export async function runFurrow(args: readonly string[], environment: Environment): Promise<number> {
  try {
    const understood = understand(args, environment)
    if (typeof understood === 'string') say(...understood.split('\n'))
    else await understood()
    return 0
  } catch (error) {
    return complain(error)
  }
}

/** Parses the command line into a help text or a command to run. Throws a Misuse if there is no such command. */
export function understand(args: readonly string[], environment: Environment): string | (() => Promise<void>) {
  const command = commandOf(args)
  if (command === undefined) return explanation(args)
  const given = readArguments(command, args.slice(command.words.split(' ').length), environment)
  if (given === 'help') return helpOf(command)
  return () => {
    for (const name of unknownVariables(environment, commands))
      warn(`the variable ${name} is not a setting and is ignored.${isVariableMeant(name, commands)}`)
    for (const { variable, by } of given.setAside) warn(`${by} says which farm is meant; ${variable} is set aside.`)
    return command.run(given)
  }
}

/** The longest match wins: `import farmos` is another command than `import`. */
const commandOf = (args: readonly string[]): Command | undefined =>
  commands
    .filter(({ words }) => words === args.slice(0, words.split(' ').length).join(' '))
    .toSorted((one, other) => other.words.length - one.words.length)[0]

const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h'

const isVersion = (word: string | undefined): boolean => ['version', '--version', '-V'].includes(word ?? '')

/** The text for a command line without a command: the version, or help on all, some or one command. */
function explanation(args: readonly string[]): string {
  const [first, ...rest] = args
  if (isVersion(first)) return `${version} (commit ${commit}, tables ${newest})`
  if (first === undefined || (isHelp(first) && rest.length === 0)) return overviewOf(commands)
  if (!isHelp(first)) return groupExplanation(args)
  const command = commandOf(rest)
  return command === undefined ? groupExplanation([...rest.slice(0, 1), 'help']) : helpOf(command)
}

function groupExplanation([group = '', second]: readonly string[]): string {
  const inGroup = commands.filter(({ words }) => words.startsWith(`${group} `))
  if (inGroup.length === 0) {
    throw new Misuse(
      `There is no command "${group}": it is one of ${firstWords.join(', ')}, help.${isCommandMeant(group, second)}`,
    )
  }
  if (isHelp(second)) return overviewOf(inGroup, group)
  const known = inGroup.map(({ words }) => words.slice(group.length + 1))
  const listed = known.join(', ')
  if (second === undefined || second.startsWith('-')) throw new Misuse(`furrow ${group} needs one of ${listed}.`)
  const meant = nearestTo(second, known)
  throw new Misuse(
    `There is no command "${group} ${second}": furrow ${group} takes ${listed}.${asked(meant && `${group} ${meant}`)}`,
  )
}

const firstWords: readonly string[] = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))]

/** Suggests the probable command: by two words in either order, or by the first. */
function isCommandMeant(first: string, second = ''): string {
  const known = [...commands.map(({ words }) => words), ...firstWords]
  const typed = [`${first} ${second}`, `${second} ${first}`, first]
  return asked(typed.map((words) => nearestTo(words.trim(), known)).find((words) => words !== undefined))
}

const asked = (command: string | undefined): string => (command === undefined ? '' : ` Is furrow ${command} meant?`)

/** The engines' own messages about damage are true, but do not help the user. */
const damageWords = (error: unknown): string =>
  `The database is damaged (${(error as Error).message}). \`furrow doctor\` says what can be done; ` +
  '`furrow restore FILE --replace` puts a backup in its place and keeps the damaged farm aside.'

function complain(error: unknown): number {
  if (isTroubleOfADisk(error)) {
    warn(`Nothing was changed, because the disk is full or failing (${error.message}). Make room and try again.`)
    return 1
  }
  if (isDamage(error) && !isTroubleOfADisk((error as Error).cause)) {
    warn(damageWords(error))
    return 1
  }
  if (!(error instanceof Refusal || error instanceof CannotOpen)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    warn(...`failed, and should not have: ${stack}`.split('\n'))
    return 1
  }
  warn(error.message, ...faultsOf(error).map((fault) => `  ${fault}`))
  // The work was done, but the result differs from the source.
  if (error instanceof FarmsDiffer) return 3
  return error instanceof Misuse ? 2 : 1
}

/** Longest list of allowed values in a message: some lists have hundreds. */
const mostAllowed = 20

/** Every fault of the refusal. A single fault is left out if the message already has it. */
function faultsOf(error: Error): readonly string[] {
  const faults = error instanceof Refusal ? (error.details.faults ?? []) : []
  const lines = faults.map(({ field, message, allowed = [] }) => {
    const shown = [...allowed.slice(0, mostAllowed), ...(allowed.length > mostAllowed ? ['…'] : [])]
    return `${field}: ${message}${shown.length === 0 ? '' : `; allowed: ${shown.join(', ')}`}`
  })
  return lines.length === 1 && error.message.startsWith(lines[0] ?? '') ? [] : lines
}

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

/** All commands, or those of one group such as `user`. */
const overviewOf = (commands: readonly Command[], group?: string): string =>
  [
    `Usage: furrow ${group === undefined ? '' : `${group} `}COMMAND [options]`,
    '',
    ...columns(commands.map(({ words, summary }) => [words, summary] as const)),
    '',
    'furrow COMMAND --help explains one command; furrow --version tells the version.',
  ].join('\n')

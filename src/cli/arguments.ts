import { parseArgs } from 'node:util'
import { didYouMean } from '../fields/suggestions.ts'
import { type Command, type CommandInput, Misuse, type OptionInput, type OptionInputs } from './command.ts'
import { type Environment, fromEnvironment, setAside } from './environment.ts'
import { BadValue, type Option, type Options, type ReadText } from './option.ts'

/** Reads the arguments after the command's own words. Options on the command line win over the environment. */
export function readArguments(
  command: Command,
  args: readonly string[],
  environment: Environment,
): CommandInput<string, Options> | 'help' {
  const scanned = scanArguments(command, args)
  if (scanned === 'help') return 'help'
  const { words, said } = scanned
  const names = Object.keys(command.takes)
  const missing = names.find((_, position) => (words[position] ?? '') === '')
  if (missing !== undefined) throw new Misuse(`furrow ${command.words} needs ${missing}: ${command.takes[missing]}.`)
  const [optional, about] = command.mayTake ?? []
  if (optional !== undefined && words[names.length] === '')
    throw new Misuse(`furrow ${command.words} needs ${optional} or no word at all: ${about}.`)
  const surplus = words[names.length + (command.mayTake ? 1 : 0)]
  if (surplus !== undefined) throw new Misuse(`furrow ${command.words} does not take the word "${surplus}".`)
  return {
    names: Object.fromEntries(names.map((name, position) => [name, words[position] ?? ''])),
    extra: words[names.length],
    options: valuesOf(command, new Map([...fromEnvironment(command.options, environment, said), ...said])),
    setAside: setAside(command.options, environment, said),
  }
}

function valuesOf(command: Command, said: OptionInputs): Record<string, unknown> {
  refuseContradictions(command.options, said)
  return Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => {
      const given = said.get(name)
      if (given !== undefined) return [name, readSaid(option, given)]
      if (option.required) throw new Misuse(`furrow ${command.words} needs --${name} ${option.placeholder}.`)
      return [name, option.read([])]
    }),
  )
}

function readSaid(option: Option<unknown>, { as, texts }: OptionInput): unknown {
  const shown = option.confidential ? as : `${as} "${texts.join('", "')}"`
  return orMisuse(shown, () => option.read(texts))
}

function refuseContradictions(options: Options, said: OptionInputs): void {
  for (const [name, { as, texts }] of said) {
    const option = options[name]
    if (option?.shape !== 'many' && texts.length > 1) throw new Misuse(`${as} was given ${texts.length} times.`)
    const opposite = said.get(option?.opposite ?? '')
    if (opposite !== undefined) throw new Misuse(`${as} and ${opposite.as} contradict each other.`)
  }
}

/** Reads a positional argument, such as ROLE in `user set-role NAME ROLE`. */
export function readWord<T>(name: string, text: string, read: ReadText<T>): T {
  return orMisuse(`${name} "${text}"`, () => read(text))
}

function orMisuse<T>(given: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadValue) throw new Misuse(`${given} is not allowed: it takes ${error.message}.`)
    throw error
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** Splits a command line into positional arguments and options, and refuses options that the command does not have. */
function scanArguments(command: Command, args: readonly string[]) {
  const words: string[] = []
  const inputs = new Map<string, OptionInput>()
  for (const token of tokensOf(command, args)) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '--help' || token.rawName === '-h') return 'help'
    const text = textOf(optionNamed(command, token), token)
    inputs.set(token.name, { as: token.rawName, texts: [...(inputs.get(token.name)?.texts ?? []), text] })
  }
  return { words, said: inputs as OptionInputs }
}

/** `parseArgs` runs without strict mode: the refusals here name the option and the allowed values. */
function tokensOf(command: Command, args: readonly string[]) {
  const options = Object.entries(command.options).map(([name, { shape }]) => {
    const takesNextWord = shape === 'one' || shape === 'many'
    return [name, { type: takesNextWord ? ('string' as const) : ('boolean' as const), multiple: true }] as const
  })
  return parseArgs({ args: [...args], strict: false, tokens: true, options: Object.fromEntries(options) }).tokens
}

function optionNamed(command: Command, { name, rawName }: OptionToken): Option<unknown> {
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined
  if (option !== undefined && rawName.startsWith('--')) return option
  const allowed = [...Object.keys(command.options), 'help'].map((known) => `--${known}`)
  throw new Misuse(
    `Unknown option ${rawName}. furrow ${command.words} takes ${allowed.join(', ')}.${didYouMean(rawName, allowed)}`,
  )
}

function textOf(option: Option<unknown>, { rawName, value, inlineValue }: OptionToken): string | null {
  if (option.shape === 'flag' && value !== undefined) throw new Misuse(`${rawName} takes no value.`)
  if (option.shape === 'flag' || option.shape === 'optional') return value ?? null
  // A negative number is a value, not an option. The option itself refuses it if it must not be negative.
  if (value === undefined || (inlineValue !== true && /^-(?!\d)/.test(value))) {
    throw new Misuse(`${rawName} needs a value: ${rawName} ${option.placeholder}.`)
  }
  return value
}

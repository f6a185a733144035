import { parseArgs } from 'node:util'
import { isMeant } from '../fields/nearest.ts'
import type { Command } from './command.ts'
import { Misuse } from './misuse.ts'
import type { Option } from './option.ts'
import type { Said, SaidOptions } from './said.ts'

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** Takes a command line apart into words and options, and refuses options that the command does not have. */
export function scanArguments(command: Command, args: readonly string[]) {
  const words: string[] = []
  const said = new Map<string, Said>()
  for (const token of tokensOf(command, args)) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    if (token.rawName === '--help' || token.rawName === '-h') return 'help'
    const text = textOf(optionNamed(command, token), token)
    said.set(token.name, { as: token.rawName, texts: [...(said.get(token.name)?.texts ?? []), text] })
  }
  return { words, said: said as SaidOptions }
}

/** Not in strict mode, which has its own words: the refusals here name the option and what is allowed. */
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
    `Unknown option ${rawName}. furrow ${command.words} takes ${allowed.join(', ')}.${isMeant(rawName, allowed)}`,
  )
}

function textOf(option: Option<unknown>, { rawName, value, inlineValue }: OptionToken): string | null {
  if (option.shape === 'flag' && value !== undefined) throw new Misuse(`${rawName} takes no value.`)
  if (option.shape === 'flag' || option.shape === 'optional') return value ?? null
  // A number below zero is no option; what is wrong with it the option itself says.
  if (value === undefined || (inlineValue !== true && /^-(?!\d)/.test(value))) {
    throw new Misuse(`${rawName} needs a value: ${rawName} ${option.placeholder}.`)
  }
  return value
}

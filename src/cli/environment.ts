import { didYouMean } from '../fields/suggestions.ts'
import { type Command, Misuse, type OptionInput, type OptionInputs, type OverruledVariable } from './command.ts'
import { type Option, type Options, variableOf } from './option.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Values of FURROW_* variables for options that the command line does not set. An empty variable counts as unset. */
export function fromEnvironment(options: Options, environment: Environment, typed: OptionInputs): OptionInputs {
  const inputs = new Map<string, OptionInput>()
  for (const [name, option] of Object.entries(options)) {
    const variable = variableOf(name)
    const text = environment[variable] ?? ''
    if (text === '' || typed.has(option.opposite ?? '') || typed.has(option.yieldsTo ?? '')) continue
    const texts = textsOf(option, variable, text)
    if (texts.length > 0) inputs.set(name, { as: variable, texts })
  }
  return inputs
}

/** Variables that an option on the command line overrules. */
export function setAside(options: Options, environment: Environment, typed: OptionInputs): OverruledVariable[] {
  return Object.entries(options).flatMap(([name, { yieldsTo = '' }]) => {
    const variable = variableOf(name)
    const decides = typed.get(yieldsTo)
    if (decides === undefined || typed.has(name) || (environment[variable] ?? '') === '') return []
    return [{ variable, by: decides.as }]
  })
}

function textsOf(option: Option<unknown>, variable: string, text: string): readonly (string | null)[] {
  if (option.shape === 'one') return [text]
  if (option.shape === 'many') return text.split(',').map((item) => item.trim())
  if (/^(1|true|yes|on)$/i.test(text)) return [null]
  if (/^(0|false|no|off)$/i.test(text)) return []
  if (option.shape === 'optional') return [text]
  throw new Misuse(`${variable} "${text}" is not allowed: it takes 1, true, yes, on or 0, false, no, off.`)
}

const variablesOf = (commands: readonly Command[]): readonly string[] => [
  ...new Set(commands.flatMap(({ options }) => Object.keys(options)).map(variableOf)),
]

/** FURROW_* variables that no command knows: probably misspelled, and otherwise ignored without a word. */
export function unknownVariables(environment: Environment, commands: readonly Command[]): string[] {
  const known = variablesOf(commands)
  return Object.keys(environment).filter((name) => name.startsWith('FURROW_') && !known.includes(name))
}

/** Suggests the variable that an unknown one was probably meant to be. */
export const isVariableMeant = (name: string, commands: readonly Command[]): string =>
  didYouMean(name, variablesOf(commands))

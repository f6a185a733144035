import type { Command, Given } from './command.ts'
import { type Environment, fromEnvironment, setAside } from './environment.ts'
import { Misuse } from './misuse.ts'
import { BadValue, type Option, type Options, type ReadText } from './option.ts'
import type { Said, SaidOptions } from './said.ts'
import { scanArguments } from './scanning.ts'

/** Reads what follows the command's own words; the command line wins over the environment. */
export function readArguments(
  command: Command,
  args: readonly string[],
  environment: Environment,
): Given<string, Options> | 'help' {
  const scanned = scanArguments(command, args)
  if (scanned === 'help') return 'help'
  const { words, said } = scanned
  const names = Object.keys(command.takes)
  const missing = names.find((_, position) => (words[position] ?? '') === '')
  if (missing !== undefined) throw new Misuse(`furrow ${command.words} needs ${missing}: ${command.takes[missing]}.`)
  const surplus = words[names.length + (command.mayTake ? 1 : 0)]
  if (surplus !== undefined) throw new Misuse(`furrow ${command.words} does not take the word "${surplus}".`)
  return {
    names: Object.fromEntries(names.map((name, position) => [name, words[position] ?? ''])),
    extra: words[names.length],
    options: valuesOf(command, new Map([...fromEnvironment(command.options, environment, said), ...said])),
    setAside: setAside(command.options, environment, said),
  }
}

function valuesOf(command: Command, said: SaidOptions): Record<string, unknown> {
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

function readSaid(option: Option<unknown>, { as, texts }: Said): unknown {
  const shown = option.confidential ? as : `${as} "${texts.join('", "')}"`
  return orMisuse(shown, () => option.read(texts))
}

function refuseContradictions(options: Options, said: SaidOptions): void {
  for (const [name, { as, texts }] of said) {
    const option = options[name]
    if (option?.shape !== 'many' && texts.length > 1) throw new Misuse(`${as} was given ${texts.length} times.`)
    const opposite = said.get(option?.opposite ?? '')
    if (opposite !== undefined) throw new Misuse(`${as} and ${opposite.as} contradict each other.`)
  }
}

/** Reads a word that stands for itself, as ROLE in `user set-role NAME ROLE`. */
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

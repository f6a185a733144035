import { defaultSettings } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { many, type Options, type OptionValues, one, oneOrElse } from './option.ts'
import { anyText, postgresAddress } from './option-values.ts'

export interface CommandInput<N extends string, O extends Options> {
  /** Positional arguments by name. */
  readonly names: Readonly<Record<N, string>>
  /** The optional last argument. */
  readonly extra: string | undefined
  readonly options: OptionValues<O>
  /** Variables that an option on the command line overrules. */
  readonly setAside: readonly OverruledVariable[]
}

export interface Command<N extends string = string, O extends Options = Options> {
  /** The words after `furrow`, such as `user add`. */
  readonly words: string
  readonly summary: string
  /** Required arguments in order, name to meaning: `NAME: "the account's name"`. */
  readonly takes: Readonly<Record<N, string>>
  /** One optional argument at the end. */
  readonly mayTake?: readonly [name: string, meaning: string]
  readonly options: O
  /** A method, so that one list can hold commands with different options. */
  run(given: CommandInput<N, O>): Promise<void>
}

/** Keeps a command's own types where it is written and erases them for the table. */
export const command = <N extends string, O extends Options>(description: Command<N, O>): Command => description

const dataDirectory = (help: string) => oneOrElse('DIR', anyText, { help, fallback: defaultSettings.data })

/** Options that locate the farm and load its modules. */
export const farmOptions = {
  data: dataDirectory('The data directory, created if missing'),
  database: one('URL', postgresAddress, {
    help: 'A postgres:// database instead; with a password, use the variable',
    confidential: true,
    yieldsTo: 'data',
  }),
  module: many('FILE', anyText, { help: 'A module file' }),
}

/** The same options for commands that need an existing farm. */
export const existingFarmOptions = {
  ...farmOptions,
  data: dataDirectory('The data directory'),
}

export type FarmValues = OptionValues<typeof farmOptions>

/**
 * One option as given: on the command line or by a variable, one text per occurrence. Null is an option without a
 * value.
 */
export interface OptionInput {
  readonly as: string
  readonly texts: readonly (string | null)[]
}

export type OptionInputs = ReadonlyMap<string, OptionInput>

export interface OverruledVariable {
  readonly variable: string
  readonly by: string
}

/** The command line itself was wrong: exit code 2. Other refusals exit with 1. */
export class Misuse extends Refusal {
  constructor(sentence: string) {
    super('bad-request', sentence)
    this.name = 'Misuse'
  }
}

import { defaultSettings } from '../config.ts'
import { Refusal } from '../refusal.ts'
import { many, type Options, type OptionValues, one, oneOrElse } from './option.ts'
import { anyText, postgresAddress } from './option-values.ts'

export interface CommandInput<N extends string, O extends Options> {
  /** The words after the command, by the name that the command gives them. */
  readonly names: Readonly<Record<N, string>>
  /** The word that the command may take, where it was given. */
  readonly extra: string | undefined
  readonly options: OptionValues<O>
  /** Variables that the command line has overruled, and by which option. */
  readonly setAside: readonly OverruledVariable[]
}

export interface Command<N extends string = string, O extends Options = Options> {
  /** As it is typed after `furrow`, such as `user add`. */
  readonly words: string
  readonly summary: string
  /** The words it needs, in order: name to meaning, such as NAME: the account's name. */
  readonly takes: Readonly<Record<N, string>>
  /** One more word at the end that may be left out. */
  readonly mayTake?: readonly [name: string, meaning: string]
  readonly options: O
  /** Written as a method so that one list can hold commands with different options. */
  run(given: CommandInput<N, O>): Promise<void>
}

/** Keeps a command's own types while it is being written and forgets them for the table. */
export const command = <N extends string, O extends Options>(description: Command<N, O>): Command => description

const dataDirectory = (help: string) => oneOrElse('DIR', anyText, { help, fallback: defaultSettings.data })

/** Where the farm is, or is to be, and what it can record. */
export const farmOptions = {
  data: dataDirectory('The data directory of the embedded database, created if missing'),
  database: one('URL', postgresAddress, {
    help: 'A postgres:// address to use instead of the embedded database; give one with a password in the variable',
    confidential: true,
    yieldsTo: 'data',
  }),
  module: many('FILE', anyText, { help: 'A module file that adds to what this farm can record' }),
}

/** Likewise for commands that need a farm which is there already. */
export const existingFarmOptions = {
  ...farmOptions,
  data: dataDirectory('The data directory of the embedded database'),
}

export type FarmValues = OptionValues<typeof farmOptions>

/** What was given for one option: as an option or a variable, and one text per time; null is an option without a value. */
export interface OptionInput {
  readonly as: string
  readonly texts: readonly (string | null)[]
}

export type OptionInputs = ReadonlyMap<string, OptionInput>

/** A variable that the command line has overruled, and the option that did. */
export interface OverruledVariable {
  readonly variable: string
  readonly by: string
}

/** The command line itself was wrong: exit code 2, where other refusals exit with 1. */
export class Misuse extends Refusal {
  constructor(sentence: string) {
    super('bad-request', sentence)
    this.name = 'Misuse'
  }
}

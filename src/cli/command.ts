import type { Options, Values } from './option.ts'
import type { SetAside } from './said.ts'

export interface Given<N extends string, O extends Options> {
  /** The words after the command, by the name that the command gives them. */
  readonly names: Readonly<Record<N, string>>
  /** The word that the command may take, where it was given. */
  readonly extra: string | undefined
  readonly options: Values<O>
  /** Variables that the command line has overruled, and by which option. */
  readonly setAside: readonly SetAside[]
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
  run(given: Given<N, O>): Promise<void>
}

/** Keeps a command's own types while it is being written and forgets them for the table. */
export const command = <N extends string, O extends Options>(description: Command<N, O>): Command => description

/** Parses one text given for an option. Throws a `BadValue` that names the allowed values. */
export type ReadText<T> = (text: string) => T

export class BadValue extends Error {
  /** Completes the sentence "… takes", such as "a number from 0 to 65535". */
  constructor(allowed: string) {
    super(allowed)
    this.name = 'BadValue'
  }
}

/**
 * One option, described once: parsing, the FURROW_* variable, `--help` and the check of docs/ all use it. `flag` takes
 * no value, `one` a value, `optional` a value after `=` or none, `many` can be repeated.
 */
export interface Option<T> {
  readonly shape: 'flag' | 'one' | 'optional' | 'many'
  readonly help: string
  /** The value as help shows it; empty for a flag. */
  readonly placeholder: string
  /** The default value, as a user would type it. */
  readonly fallback?: string
  readonly required?: true
  /** The option with the opposite meaning; giving both is refused. */
  readonly opposite?: string
  /** An alternative option: if it is on the command line, the variable of this one is ignored. */
  readonly yieldsTo?: string
  /** The value may hold a password, and messages do not repeat it. */
  readonly confidential?: true
  /** `given` has one text per occurrence of the option; null is a bare option without a value. */
  readonly read: (given: readonly (string | null)[]) => T
}

export type Options = Readonly<Record<string, Option<unknown>>>

export type OptionValues<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never }

type Description = Pick<Option<unknown>, 'help' | 'opposite' | 'yieldsTo' | 'confidential'>

export const flag = (description: Description): Option<boolean> => ({
  ...description,
  shape: 'flag',
  placeholder: '',
  read: (given) => given.length > 0,
})

export const one = <T>(placeholder: string, read: ReadText<T>, description: Description): Option<T | undefined> => ({
  ...description,
  shape: 'one',
  placeholder,
  read: (given) => {
    const text = given.at(-1)
    return typeof text === 'string' ? read(text) : undefined
  },
})

export const oneOrElse = <T>(
  placeholder: string,
  read: ReadText<T>,
  description: Description & { readonly fallback: string },
): Option<T> => ({
  ...description,
  shape: 'one',
  placeholder,
  read: (given) => read(given.at(-1) ?? description.fallback),
})

export const required = <T>(placeholder: string, read: ReadText<T>, description: Description): Option<T> => ({
  ...description,
  shape: 'one',
  placeholder,
  required: true,
  // The parser refuses a missing required option before any value is read.
  read: (given) => read(given.at(-1) ?? ''),
})

export const many = <T>(
  placeholder: string,
  read: ReadText<T>,
  description: Description,
): Option<readonly T[] | undefined> => ({
  ...description,
  shape: 'many',
  placeholder,
  read: (given) => {
    if (given.length === 0) return undefined
    // A single empty value empties the list.
    return given.filter((text): text is string => text !== null && text !== '').map(read)
  },
})

/** `--name` alone means `bare`; `--name=VALUE` means the value. */
export const optional = <T>(
  placeholder: string,
  read: ReadText<T>,
  description: Description & { readonly bare: string },
): Option<T | undefined> => ({
  ...description,
  shape: 'optional',
  placeholder,
  read: (given) => {
    const last = given.at(-1)
    return last === undefined ? undefined : read(last ?? description.bare)
  },
})

export const variableOf = (option: string): string => `FURROW_${option.toUpperCase().replaceAll('-', '_')}`

/** What one text given for an option becomes; throws a `BadValue` that says what is allowed. */
export type ReadText<T> = (text: string) => T

export class BadValue extends Error {
  /** Completes the sentence "… takes", such as "a number from 0 to 65535". */
  constructor(allowed: string) {
    super(allowed)
    this.name = 'BadValue'
  }
}

/**
 * One option, described once: parsing, the FURROW_* variable, `--help` and the check of docs/ all come from here.
 * `flag` takes no value, `one` a value, `optional` a value after `=` or none, `many` can be repeated.
 */
export interface Option<T> {
  readonly shape: 'flag' | 'one' | 'optional' | 'many'
  readonly help: string
  /** How the value is spelled in help; empty for a flag. */
  readonly placeholder: string
  /** The value that is taken when none is given, as one would type it. */
  readonly fallback?: string
  readonly required?: true
  /** The option that says the opposite; giving both is refused. */
  readonly opposite?: string
  /** The option that says another way what this one says: typed, it sets the variable of this one aside. */
  readonly yieldsTo?: string
  /** The value may hold a password and is not repeated in messages. */
  readonly confidential?: true
  /** `given` holds one text per time the option was given; null: bare, without a value. */
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
  // The parser refuses a command without its required options before any value is read.
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
    // One empty value says "none of them", so that a list can be emptied.
    return given.filter((text): text is string => text !== null && text !== '').map(read)
  },
})

/** `--name` alone stands for `bare`, `--name=VALUE` for the value. */
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

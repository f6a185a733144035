/** What was given for one option: as an option or a variable, and one text per time; null is an option without a value. */
export interface Said {
  readonly as: string
  readonly texts: readonly (string | null)[]
}

export type SaidOptions = ReadonlyMap<string, Said>

/** A variable that the command line has overruled, and the option that did. */
export interface SetAside {
  readonly variable: string
  readonly by: string
}

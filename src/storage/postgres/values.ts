import { types } from 'pg'

const { builtins, getTypeParser } = types

/** Numbers come back as numbers and truth as 1 or 0, as they do from SQLite. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
])

export const valueTypes: typeof types = {
  ...types,
  // pg declares one overload per format; all parsers here are for text, the only format it is asked for.
  getTypeParser: ((type: number, format?: 'text') =>
    parsers.get(type) ?? getTypeParser(type, format)) as typeof getTypeParser,
}

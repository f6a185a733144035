import type { TextFile } from './tree.ts'

interface Rule {
  readonly what: string
  readonly seen: RegExp
  /** The files that may, wherever in the storage room they stand. */
  readonly may: RegExp
}

const taken = (name: string) => new RegExp(`^import \\{(?:[^}]*,)?\\s*${name}\\b[^}]*\\} from 'kysely'`, 'm')

/** SQL is prepared or a fragment; nothing else runs a query that it has built itself. */
const rules: readonly Rule[] = [
  { what: 'writes SQL with `sql`', seen: taken('sql'), may: /\/prepared\.ts$/ },
  { what: 'makes a `CompiledQuery`', seen: taken('CompiledQuery'), may: /\/prepared\.ts$/ },
  {
    what: 'makes a statement with `statementOf`',
    seen: /\bstatementOf\(/,
    may: /\/(prepared|fragment|insertion|copy)\.ts$/,
  },
  {
    what: 'runs a query with `executeQuery`',
    seen: /\.executeQuery\b/,
    may: /\/(prepared|fragment|insertion|copy)\.ts$/,
  },
  { what: 'runs a query by itself', seen: /\.(execute|executeTakeFirst|executeTakeFirstOrThrow|stream)\(/, may: /^$/ },
]

export const sqlFaults = (files: readonly TextFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    rules
      .filter(({ seen, may }) => seen.test(text) && !(path.startsWith('src/storage/') && may.test(path)))
      .map(({ what }) => `${path} ${what}`),
  )

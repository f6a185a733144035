import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { emptyDirectory } from '../harness/databases.ts'
import { root } from '../house/tree.ts'

/** A block of a page: its language, and behind it the name by which a test asks for it or the file to save it as. */
export interface Example {
  readonly language: string
  readonly name: string
  readonly code: string
}

/** What a reader pastes; blocks in any other language are looked at. */
export const pastedLanguages = ['sh', 'js', 'python', 'ts']

export function examplesIn(text: string): readonly Example[] {
  const fenced = text.matchAll(/^( *)```(\S*) ?(.*)\n([\s\S]*?)^\1```$/gm)
  return [...fenced].map(([, margin = '', language = '', name = '', code = '']) => ({
    language,
    name,
    code: code.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
  }))
}

/** A page of the documentation, and which of its examples are still to be pasted. */
export class Page {
  readonly examples: readonly Example[]
  readonly #left: Set<Example>

  constructor(path: string) {
    const all = examplesIn(readFileSync(join(root, path), 'utf8'))
    this.examples = all.filter(({ language }) => pastedLanguages.includes(language))
    this.#left = new Set(this.examples)
  }

  /** The examples in this language and of this name, or all; from here on they count as pasted. */
  take(language?: string, name?: string): readonly Example[] {
    const taken = this.examples.filter(
      (one) => (language === undefined || one.language === language) && (name === undefined || one.name === name),
    )
    if (taken.length === 0) throw new Error(`The page has no example "${language} ${name}".`)
    for (const example of taken) this.#left.delete(example)
    return taken
  }

  /** What no test has taken. */
  get left(): readonly string[] {
    return [...this.#left].map(({ language, name, code }) => `${language} ${name}\n${code}`)
  }
}

const interpreters: Readonly<Record<string, string>> = { js: 'node --input-type=module -', python: 'python3 -' }

const missing = (program: string): string =>
  `command -v ${program} >/dev/null || { echo "${program} is not installed. The examples of the documentation need it: install ${program}." >&2; exit 1; }`

/** The examples one after the other as one script, so that what one has found out is known to the next. */
function scriptOf(examples: readonly Example[]): string {
  const steps = examples.map(({ language, name, code }) => {
    if (language === 'sh') return code
    const reader = interpreters[language] ?? `cat > '${name}'`
    return `${reader} <<'END OF EXAMPLE'\n${code}END OF EXAMPLE\n`
  })
  const programs = new Set(examples.map(({ language }) => (language === 'python' ? 'python3' : 'curl')))
  return [...[...programs].map(missing), 'set -a', ...steps].join('\n')
}

export interface Terminal {
  readonly folder?: string
  readonly env: Readonly<Record<string, string>>
  /** What a page has made up and this machine has otherwise: addresses, folders. */
  readonly instead?: Readonly<Record<string, string>>
}

/** Pastes the examples into one terminal. */
export function start(
  examples: readonly Example[],
  terminal: Terminal,
  screen: 'pipe' | number = 'pipe',
): ChildProcess {
  const { folder, env, instead = {} } = terminal
  const script = Object.entries(instead).reduce((text, [word, by]) => text.replaceAll(word, by), scriptOf(examples))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FURROW_'))
  return spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder ?? root,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', screen, screen],
  })
}

/** What is on the screen when all of it has gone well. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let screen = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      screen += text
    })
  }
  const code = await closed(child)
  expect(code, screen).toBe(0)
  return screen
}

const closed = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.on('close', resolve))

/** A file takes all at once: a pipe that one program has made non-blocking refuses others what is not read quickly enough. */
export async function paste(examples: readonly Example[], terminal: Terminal): Promise<string> {
  const path = join(await emptyDirectory(), 'screen')
  await using file = await open(path, 'w')
  const code = await closed(start(examples, terminal, file.fd))
  const screen = await readFile(path, 'utf8')
  expect(code, screen).toBe(0)
  return screen
}

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { passwordBytes } from '../access/passwords.ts'
import { unprintable } from '../fields/text.ts'
import { Refusal } from '../refusal.ts'
import { codeOf } from '../storage/sql/errors.ts'
import { Misuse } from './command.ts'

const everyUnprintable = new RegExp(unprintable, 'g')

/** One line for a terminal, with control characters of records removed. */
const printable = (line: string): string => line.replace(everyUnprintable, '\ufffd')

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n')

export function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
}

/** JSON can escape every character, so nothing is lost. */
export function sayJson(value: unknown): void {
  const text = JSON.stringify(value, null, 2)
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  process.stdout.write(`${text.replace(everyUnprintable, (one) => (one === '\n' ? one : escaped(one)))}\n`)
}

export function warn(...lines: readonly string[]): void {
  process.stderr.write(`furrow: ${lines.map(printable).join('\n')}\n`)
}

/** A table with headings, each column as wide as its widest text. */
export function sayTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  say(
    ...all.map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
}

/** The password from standard input (without one trailing newline) or, on a terminal, typed twice without echo. */
export async function askForPassword(source: 'stdin' | 'terminal'): Promise<string> {
  if (source === 'stdin') return (await readStandardInput()).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY) {
    throw new Misuse('There is no terminal to type a password on: send it to standard input and give --password-stdin.')
  }
  const password = await typeUnseen(`Password (at least ${passwordBytes.least} characters): `)
  if ((await typeUnseen('Once more: ')) !== password) throw new Misuse('The two passwords differ. Nothing was changed.')
  return password
}

/** A password or token of another server: it is already known and need not be typed twice. */
export async function askForSecret(source: 'stdin' | 'terminal', what: string): Promise<string> {
  if (source === 'stdin') return (await readStandardInput()).replace(/\r?\n$/, '')
  if (process.stdin.isTTY) return typeUnseen(`${what}: `)
  throw new Misuse(
    `There is no terminal to type the ${what.toLowerCase()} on: send it to standard input and give --password-stdin or --token-stdin.`,
  )
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const typeUnseen = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: process.stdin, output: hidden, terminal: true })
    // Not earlier: input before the interface exists would be echoed.
    process.stderr.write(question)
    lines.once('SIGINT', () => lines.close())
    // Fires last: after an answer, or instead of one at the end of the input.
    lines.once('close', () => {
      process.stderr.write('\n')
      reject(new Misuse('No password was given. Nothing was changed.'))
    })
    lines.question('', (answer) => {
      resolve(answer)
      lines.close()
    })
  })

/** A time in UTC, as commands print it. */
export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory; name a file in it',
  EACCES: 'whoever runs this command may not read it',
}

/** Message for a file that cannot be read; other errors pass unchanged. */
export function unreadableFile(path: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)]
  return reason === undefined ? error : new Refusal('not-found', `${path} cannot be read: ${reason}.`)
}

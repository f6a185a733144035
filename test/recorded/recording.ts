import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Json } from '../harness/client.ts'
import { lineOf, type Request } from './request.ts'

/** What an answer was. Of a refusal only its status and its type are held: its words may change. */
export interface Recorded {
  readonly request: string
  readonly status: number
  /** The type of a refusal. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A body whose bytes are those of `JSON.stringify`. */
  readonly json?: Json
  /** The pieces of any other body, one after another. */
  readonly text?: readonly string[]
}

const held = ['content-type', 'location', 'link'] as const

export function recordedOf(request: Request, answer: Answer): Recorded {
  const { status } = answer
  if (status >= 400) return { request: lineOf(request), status, type: typeOf(answer) }
  const headers = held.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { request: lineOf(request), status, headers: Object.fromEntries(headers), ...bodyOf(answer) }
}

const typeOf = ({ body, text }: Answer): string => body?.type ?? /<type>(.*?)<\/type>/.exec(text)?.[1] ?? text

function bodyOf({ body, text }: Answer): Pick<Recorded, 'json' | 'text'> {
  if (text === '') return {}
  if (body !== null && JSON.stringify(body) === text) return { json: body }
  return { text: text.split(/(?<=>)(?=<)/) }
}

const fileOf = (group: string): string => join(import.meta.dirname, 'answers', `${group}.jsonl`)

/** One answer a line. */
export const recordingOf = (group: string): readonly Recorded[] =>
  readFileSync(fileOf(group), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

export function record(group: string, answers: readonly Recorded[]): void {
  writeFileSync(fileOf(group), answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
}

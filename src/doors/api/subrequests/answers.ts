import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '../../http/limits.ts'
import type { Token } from './tokens.ts'

/** What a part was answered with. */
export interface PartAnswer {
  /** The id of the part, and that of the copy. */
  readonly id: string
  readonly contentId: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What is told of the headers of a part. */
const told = [
  'content-type',
  'location',
  'allow',
  'etag',
  'retry-after',
  'www-authenticate',
  'x-request-id',
  'change-set',
  'dry-run',
  'idempotent-replayed',
] as const

/** The answers of all parts, in their order, and what later ones find in them. */
export class PartAnswers {
  readonly #all: PartAnswer[] = []
  readonly #trees = new Map<PartAnswer, unknown>()
  #bytes = 0

  get count(): number {
    return this.#all.length
  }

  /** How many bytes of further answers are kept. */
  get room(): number {
    return limits.subanswerBytes - this.#bytes
  }

  add(answer: PartAnswer): void {
    this.#all.push(answer)
    this.#bytes += answer.body.length
  }

  /** What a token stands for; each copy of the part that it names may have something. */
  valuesOf({ id, of, path }: Token): readonly unknown[] {
    const most = limits.subrequests + 1
    return this.#all
      .filter((answer) => answer.id === id || answer.contentId === id)
      .flatMap((answer) => foundBy(path, of === 'headers' ? headersOf(answer) : this.#treeOf(answer), most))
      .slice(0, most)
  }

  /** As an object by content id, in the order in which they were answered. */
  spelled(): string {
    const members = this.#all.map((answer) => {
      const spelled = { headers: headersOf(answer), body: answer.body }
      return `${JSON.stringify(answer.contentId)}:${JSON.stringify(spelled)}`
    })
    return `{${members.join(',')}}`
  }

  #treeOf(answer: PartAnswer): unknown {
    if (!this.#trees.has(answer)) this.#trees.set(answer, treeOf(answer.body))
    return this.#trees.get(answer)
  }
}

function treeOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const headersOf = ({ status, headers, contentId }: PartAnswer): Record<string, readonly unknown[]> => ({
  status: [status],
  ...Object.fromEntries(told.flatMap((name) => (headers[name] === undefined ? [] : [[name, [headers[name]]]]))),
  'content-id': [`<${contentId}>`],
})

/** A step is a name, a position, or all there are. */
type Step = string | number | typeof all

const all = Symbol('all')

const form = /^\$(?:\.[^.[\]\s]+|\[\d{1,9}\]|\[\*\]|\['[^']*'\])*$/
const step = /\.([^.[\]\s]+)|\[(\d+)\]|\[\*\]|\['([^']*)'\]/g

/** What a JSONPath leads to, at most so many; nothing where it is written otherwise than `$`, `.name`, `[n]` and `[*]`. */
export function foundBy(path: string, tree: unknown, most: number): readonly unknown[] {
  if (!form.test(path)) return []
  const steps = [...path.matchAll(step)].map(([, name, position, quoted]): Step => {
    if (position !== undefined) return Number(position)
    const word = name ?? quoted
    return word === undefined || word === '*' ? all : word
  })
  let found: readonly unknown[] = [tree]
  for (const one of steps) found = found.flatMap((value) => under(value, one)).slice(0, most)
  return found.filter((value) => value !== null && value !== undefined)
}

function under(value: unknown, one: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (one === all) return Object.values(value)
  if (typeof one === 'number') return Array.isArray(value) && one in value ? [value[one]] : []
  return !Array.isArray(value) && Object.hasOwn(value, one) ? [(value as Record<string, unknown>)[one]] : []
}

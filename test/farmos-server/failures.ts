/** Which requests fail: the nth of those that match, every nth, or, without either, all of them; `times` at most. */
export interface When {
  readonly path?: RegExp
  readonly every?: number
  readonly at?: number
  readonly times?: number
}

/** How they fail. */
type How =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly redirect: string }
  /** The connection ends in the middle of the body; quietly: as if that were all. */
  | { readonly cut: true | 'quietly' }
  /** No answer ever comes. */
  | { readonly silence: true }
  /** So many bytes come in the place of the body, for as long as they are taken. */
  | { readonly flood: number }
  /** The answer comes, after so many milliseconds. */
  | { readonly delay: number }

export type Failure = When & How

/** Counts the requests that match, and says when it is time. */
export class Occasions {
  readonly #when: When
  #matched = 0
  #times = 0

  constructor(when: When) {
    this.#when = when
  }

  isNow(path: string): boolean {
    const { path: wanted, every, at, times = Number.POSITIVE_INFINITY } = this.#when
    if (wanted !== undefined && !wanted.test(path)) return false
    this.#matched += 1
    if (every !== undefined && this.#matched % every !== 0) return false
    if (at !== undefined && this.#matched !== at) return false
    if (this.#times >= times) return false
    this.#times += 1
    return true
  }
}

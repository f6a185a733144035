import { Refusal } from '../../../refusal.ts'
import { limits } from '../../http/limits.ts'
import { urlTooLong } from '../../http/rim.ts'
import type { Part } from './blueprint.ts'
import { type Filling, filled, type Location, type Token, tokensIn } from './tokens.ts'

/** A part as it is to be asked. A part whose tokens stand for several values is asked once for each. */
export interface Copy {
  readonly contentId: string
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The values that a token stands for; none where it stays as it is. */
export type ValuesOf = (token: Token) => readonly unknown[]

/** The copies of a part, one at a time, at most so many. */
export function* copiesOf(part: Part, valuesOf: ValuesOf, room: number): Generator<Copy> {
  const uris = fillingsIn('uri', part.uri, valuesOf)
  const bodies = fillingsIn('body', part.body ?? '', valuesOf)
  if (countOf(uris) * countOf(bodies) > room) throw tooMany()
  for (const [inUri, one] of pointsIn(uris).entries()) {
    for (const [inBody, other] of pointsIn(bodies).entries()) {
      const ofUri = uris === undefined ? '' : `#uri{${inUri}}`
      const ofBody = bodies === undefined ? '' : `#body{${inBody}}`
      yield {
        ...part,
        contentId: `${part.id}${ofUri}${ofBody}`,
        uri: required(filled('uri', part.uri, { fillings: one, longest: limits.urlBytes }), urlTooLong),
        body: part.body === null ? null : bodyWith(part.body, other),
      }
    }
  }
}

const bodyWith = (body: string, fillings: readonly Filling[]): string =>
  required(filled('body', body, { fillings, longest: limits.plainBytes }), bodyTooLong)

/** The fillings of each token of a text that has values; undefined where it has no tokens at all. */
type Fillings = readonly (readonly Filling[])[] | undefined

function fillingsIn(location: Location, text: string, valuesOf: ValuesOf): Fillings {
  const tokens = tokensIn(location, text)
  if (tokens.length === 0) return undefined
  return tokens
    .map((token) => valuesOf(token).map((value) => ({ token, value })))
    .filter((fillings) => fillings.length > 0)
}

const countOf = (fillings: Fillings): number => (fillings ?? []).reduce((count, { length }) => count * length, 1)

/** Every choice of one filling for each token. */
const pointsIn = (fillings: Fillings): readonly (readonly Filling[])[] =>
  (fillings ?? []).reduce<readonly (readonly Filling[])[]>(
    (points, next) => points.flatMap((point) => next.map((filling) => [...point, filling])),
    [[]],
  )

function required<T>(value: T | undefined, refusal: () => Refusal): T {
  if (value === undefined) throw refusal()
  return value
}

const tooMany = () =>
  new Refusal(
    'too-large',
    `${limits.subrequests} requests may come together, and with what this one asks for it were more.`,
  )

const bodyTooLong = () => new Refusal('too-large', 'With its tokens filled the body is too long.')

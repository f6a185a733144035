/** What a test does once in `npm test`, where it is as short as can still fail, and at its full length in `npm run test:long`. */
export interface Rounds<T> {
  readonly short: T
  readonly long: T
}

export const isLongRun = process.env.TEST_LENGTH === 'long'

export const rounds = <T>({ short, long }: Rounds<T>): T => (isLongRun ? long : short)

/** Which samples are drawn: others on another day, the same ones again with TEST_SEED. */
export const testSeed = Number(process.env.TEST_SEED ?? Math.floor(Date.now() / 86_400_000))

/** One of several that are alike in what is tried; all of them in a long run. */
export function drawn<T>(all: readonly T[], what: string): readonly T[] {
  const place =
    [...`${testSeed} ${what}`].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1), 7) >>> 8
  return rounds({ short: all.slice(place % all.length).slice(0, 1), long: all })
}

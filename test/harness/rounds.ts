/** What a test does once in `npm test`, where it is as short as can still fail, and at its full length in `npm run test:long`. */
interface Rounds<T> {
  readonly short: T
  readonly long: T
}

const isLongRun = process.env.TEST_LENGTH === 'long'

export const rounds = <T>({ short, long }: Rounds<T>): T => (isLongRun ? long : short)

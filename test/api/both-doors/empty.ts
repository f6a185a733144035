import type { Fact, Newer, Older } from './fact.ts'

interface Shown {
  readonly keptIn: readonly string[]
  readonly older?: Older
  readonly newer?: Newer
}

/** What is always shown the same, and never said. */
export const always = ({ keptIn, older, newer }: Shown): Fact<null> => ({
  name: keptIn.join(),
  keptIn,
  initial: () => null,
  ...(older === undefined ? {} : { older: { say: () => ({ sent: {}, after: null }), show: () => older } }),
  ...(newer === undefined ? {} : { newer: { say: () => ({ sent: {}, after: null }), show: () => newer } }),
})

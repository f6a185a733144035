export const codesAgainst = ['says-nothing', 'not-done', 'not-yet', 'earlier', 'same-second', 'removed'] as const

/** Why a log did not decide: a word for programs, a sentence for people. */
export interface Against {
  readonly code: (typeof codesAgainst)[number]
  readonly sentence: string
}

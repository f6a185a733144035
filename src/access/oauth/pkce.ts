import { hashOf, isSame } from '../secrets.ts'

/** RFC 7636 sections 4.1 and 4.2: verifier and challenge have the same form. */
const lengths = { least: 43, most: 128 }
const form = new RegExp(`^[A-Za-z0-9._~-]{${lengths.least},${lengths.most}}$`)

/** Completes the sentence "the code_challenge has …". */
export const challengeForm = `${lengths.least} to ${lengths.most} characters of its alphabet`

export function isChallenge(text: string): boolean {
  return form.test(text)
}

/** S256, the only method there is here; no challenge goes with no verifier and with nothing else. */
export function answersChallenge(verifier: string | undefined, challenge: string | null): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return form.test(verifier) && isSame(hashOf(verifier), challenge)
}

import { hashOf, isSame } from '../secrets.ts'

/** RFC 7636 sections 4.1 and 4.2: verifier and challenge have the same form. */
const form = /^[A-Za-z0-9._~-]{43,128}$/

export function isChallenge(text: string): boolean {
  return form.test(text)
}

/** S256, the only method there is here; no challenge goes with no verifier and with nothing else. */
export function answersChallenge(verifier: string | undefined, challenge: string | null): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  return form.test(verifier) && isSame(hashOf(verifier), challenge)
}

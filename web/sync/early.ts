import { type Answer, type Answered, answerTo, ask } from './ask.ts'

/** Answers that were asked for before their turn, each for one taker. */
const asked = new Map<string, Promise<Answer<unknown>>>()

export function askEarly<T>(path: string): Promise<Answer<T>> {
  const answer = ask<T>(path)
  asked.set(path, answer)
  return answer
}

/** What was asked for in the name of whoever was there is not for others. */
export const forgetEarly = (): void => asked.clear()

/** The answer that was asked for early, or one that is asked for now. */
export async function answerMaybeEarly<T>(path: string): Promise<Answered<T>> {
  const early = asked.get(path) as Promise<Answer<T>> | undefined
  asked.delete(path)
  const answer = await early
  return answer?.failure === null ? answer : answerTo<T>(path)
}
